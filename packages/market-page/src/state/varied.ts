/** Choices from lists whose neighbours are often about the same topic. */

/** The first item of each group, in their order. */
export function firstOfEach<T>(items: readonly T[], groupOf: (item: T) => string): readonly T[] {
  const groups = new Set<string>();
  return items.filter((item) => {
    const group = groupOf(item);
    const isFirst = !groups.has(group);
    groups.add(group);
    return isFirst;
  });
}

/**
 * The first `count` items of different topics, in their order. If there are fewer topics, the next
 * items of any topic fill the places.
 *
 * @example varied(3, ['s1', 's2', 's3', 'c1'], topicOf) // ['s1', 's2', 'c1']: topics "s" and "c"
 */
export function varied<T>(
  count: number,
  items: readonly T[],
  topicOf: (item: T) => string,
): readonly T[] {
  const chosen = firstOfEach(items, topicOf).slice(0, count);
  const others = items.filter((item) => !chosen.includes(item)).slice(0, count - chosen.length);
  return items.filter((item) => chosen.includes(item) || others.includes(item));
}
