import { messageOf } from 'cdk-local';
import { ALL_CHECKS, type CheckName } from './all-checks.ts';
import { CheckFailure } from './check-failure.ts';
import { Unreachable } from './client.ts';
import type { Deployment } from './deployment.ts';

export interface CheckResult {
  readonly name: CheckName;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** What was seen. */
  readonly detail: string;
  readonly ms: number;
}

/**
 * Runs the checks, one after the other. One that fails does not keep the next ones from running.
 *
 * @throws Unreachable when nothing responds to the first of them
 */
export async function runChecks(
  deployment: Deployment,
  skipped: ReadonlySet<CheckName> = new Set(),
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, run } of ALL_CHECKS) {
    if (skipped.has(name)) {
      results.push({ name, outcome: 'skipped', detail: 'not asked for', ms: 0 });
      continue;
    }
    const started = performance.now();
    const result = (outcome: CheckResult['outcome'], detail: string): CheckResult => ({
      name,
      outcome,
      detail,
      ms: Math.round(performance.now() - started),
    });
    try {
      results.push(result('passed', await run(deployment)));
    } catch (error) {
      if (error instanceof Unreachable && results.length === 0) throw error;
      if (!(error instanceof CheckFailure) && !(error instanceof Unreachable)) throw error;
      results.push(result('failed', messageOf(error)));
    }
  }
  return results;
}
