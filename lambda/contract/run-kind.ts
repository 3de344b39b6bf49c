/** `full`: catalogue and prices; `prices`: those of the markets that the newest snapshot has. */
export type RunKind = 'full' | 'prices';

/** The kind that an event asks for; one without, as after a deployment or by a person, means all. */
export function runKind(event: unknown): RunKind {
  const asked = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  return asked === 'prices' ? 'prices' : 'full';
}
