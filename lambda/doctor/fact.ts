import type { UpstreamName } from '../contract/upstreams.ts';
import type { Visit } from './visit.ts';

/** How well a fact is known: A two sources or a byte-exact recording, B one measurement or document, C inference. */
export type Grade = 'A' | 'B' | 'C';

/**
 * What it means when a fact does not hold: the service cannot run; something of it is worse or missing; or nothing yet,
 * but what is written about the upstream is no longer true.
 */
export type Severity = 'stops' | 'degrades' | 'note';

/** What was found: whether the fact holds, and what was seen, in a few words. */
export interface Finding {
  readonly holds: boolean;
  readonly seen: string;
}

/** One thing that the service relies on, and how to look whether it is so. */
export interface Fact {
  readonly upstream: UpstreamName;
  readonly fact: string;
  readonly grade: Grade;
  readonly severity: Severity;
  /** What the service is like where the fact does not hold. */
  readonly otherwise: string;
  /** @throws UntestableError where nothing can be said; any other error means that the fact does not hold */
  readonly look: (visit: Visit) => Promise<Finding>;
}

/** A finding that holds where what was seen is what was expected. */
export function finding(holds: boolean, seen: string): Finding {
  return { holds, seen };
}
