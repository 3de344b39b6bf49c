/** A fact cannot be looked at, for want of something that another fact is about. */
export class UntestableError extends Error {
  override readonly name = 'UntestableError';
}
