import type { Deployment } from './deployment.ts';

/** One thing that a working deployment does. */
export interface Check<Name extends string = string> {
  readonly name: Name;
  /** @returns what was seen, for the table; @throws CheckFailure */
  readonly run: (deployment: Deployment) => Promise<string>;
}

/** The deployment does not do what it should; the message says what was seen instead. */
export class CheckFailure extends Error {
  override readonly name = 'CheckFailure';
}

/** @throws CheckFailure with the sentence */
export function ensure(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new CheckFailure(sentence);
}

/** Keeps the names of a list of checks in its type, so that a list of exceptions cannot name one that is gone. */
export function checks<const Name extends string>(list: readonly Check<Name>[]): readonly Check<Name>[] {
  return list;
}
