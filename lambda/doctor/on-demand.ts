import type { Log } from '../platform/log.ts';
import { type Examination, examine } from './doctor.ts';
import type { ProbeOptions } from './probe.ts';

/** Time kept for the response when the function's own time runs out, ms. */
const CLOSING_MS = 1_000;

export interface DoctorOptions extends Omit<ProbeOptions, 'deadline'> {
  readonly logger: Log;
}

/** Whether an invocation asks for an examination: `{"kind":"doctor"}`. */
export function isDoctorEvent(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'kind' in event && event.kind === 'doctor';
}

/**
 * Examines the upstreams as they look from where the function runs. The invocation's result is the examination; what
 * does not hold is in the log as well.
 */
export async function onDemand(options: DoctorOptions, remainingMs: number): Promise<Examination> {
  const { logger, ...probe } = options;
  const deadline = probe.clock.now() + remainingMs - CLOSING_MS;
  const examination = await examine({ ...probe, deadline });
  const { facts, ...rest } = examination;
  const changed = facts.filter(({ verdict }) => verdict === 'changed');
  const keys = {
    ...rest,
    changed: changed.map(({ upstream, fact, seen }) => `${upstream}: ${fact} (${seen})`),
  };
  if (examination.verdict === 'well') logger.info('Upstreams examined', keys);
  else logger.warn('Upstreams examined', keys);
  return examination;
}
