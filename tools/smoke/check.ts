import type { Deployment } from './deployment.ts';

/** One thing that a working deployment does. */
export interface Check<Name extends string = string> {
  readonly name: Name;
  /** @returns what was seen, for the table; @throws CheckFailure */
  readonly run: (deployment: Deployment) => Promise<string>;
}

/** Keeps the names of a list of checks in its type, so that a list of exceptions cannot name one that is gone. */
export function checks<const Name extends string>(list: readonly Check<Name>[]): readonly Check<Name>[] {
  return list;
}
