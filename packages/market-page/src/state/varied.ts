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
 * The first `count` items of different topics. More of a topic follow only if other topics are
 * missing.
 */
export function varied<T>(
  count: number,
  items: readonly T[],
  topicOf: (item: T) => string,
): readonly T[] {
  const first = firstOfEach(items, topicOf).slice(0, count);
  const others = items.filter((item) => !first.includes(item)).slice(0, count - first.length);
  return items.filter((item) => first.includes(item) || others.includes(item));
}
