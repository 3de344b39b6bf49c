/**
 * Calls `tick` every `intervalMs`, for the first time one interval from now, whether or not the last call has
 * ended. The returned function stops it.
 */
export function startTicking(intervalMs: number, tick: (scheduledAt: Date) => void): () => void {
  const start = Date.now();
  let count = 0;
  const timer = setInterval(() => {
    count += 1;
    tick(new Date(start + count * intervalMs));
  }, intervalMs);
  return () => clearInterval(timer);
}
