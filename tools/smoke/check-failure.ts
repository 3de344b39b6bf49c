/** The deployment does not do what it should; the message says what was seen instead. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
}

/** @throws CheckFailure with the sentence */
export function ensure(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new CheckFailure(sentence);
}
