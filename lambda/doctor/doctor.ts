import type { UpstreamName } from '../contract/upstreams.ts';
import type { Fact, Severity } from './fact.ts';
import { CLOB_FACTS } from './facts/clob.ts';
import { DATA_FACTS } from './facts/data.ts';
import { GAMMA_FACTS } from './facts/gamma.ts';
import { MANNERS_FACTS } from './facts/manners.ts';
import { Probe, type ProbeOptions } from './probe.ts';
import { UntestableError } from './untestable-error.ts';
import { Visit } from './visit.ts';

/** Everything that the service relies on, in the order in which it is looked at: about thirty calls. */
export const FACTS: readonly Fact[] = [...GAMMA_FACTS, ...CLOB_FACTS, ...DATA_FACTS, ...MANNERS_FACTS];

/** `untested`: nothing can be said, since something else that it needs does not hold. */
export type Verdict = 'holds' | 'changed' | 'untested';

export interface Examined {
  readonly upstream: UpstreamName;
  readonly fact: string;
  readonly grade: Fact['grade'];
  readonly severity: Severity;
  readonly verdict: Verdict;
  readonly seen: string;
  /** What it means for the service; only where the fact does not hold. */
  readonly meaning?: string;
}

export interface Examination {
  readonly facts: readonly Examined[];
  readonly calls: number;
  readonly durationMs: number;
  /** The worst of what was found: `well` where nothing but notes has changed. */
  readonly verdict: 'well' | 'degraded' | 'stopped';
}

/** Looks at every fact, one after the other. Never throws: what cannot be asked is a finding. */
export async function examine(options: ProbeOptions): Promise<Examination> {
  const { clock } = options;
  const began = clock.now();
  const probe = new Probe(options);
  const visit = new Visit(probe);
  const facts: Examined[] = [];
  for (const fact of FACTS) facts.push(await examined(fact, visit));
  return { facts, calls: probe.calls, durationMs: clock.now() - began, verdict: verdictOf(facts) };
}

async function examined({ look, otherwise, ...fact }: Fact, visit: Visit): Promise<Examined> {
  try {
    const { holds, seen } = await look(visit);
    return holds
      ? { ...fact, verdict: 'holds', seen }
      : { ...fact, verdict: 'changed', seen, meaning: otherwise };
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    if (error instanceof UntestableError) return { ...fact, verdict: 'untested', seen };
    return { ...fact, verdict: 'changed', seen, meaning: otherwise };
  }
}

function verdictOf(facts: readonly Examined[]): Examination['verdict'] {
  const changed = new Set(
    facts.flatMap(({ verdict, severity }) => (verdict === 'changed' ? [severity] : [])),
  );
  if (changed.has('stops')) return 'stopped';
  return changed.has('degrades') ? 'degraded' : 'well';
}
