/** What is stored is not what was written: it was read, and reading it again will not help. */
export class BrokenSnapshotError extends Error {
  override readonly name = 'BrokenSnapshotError';
}
