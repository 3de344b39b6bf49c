import type { Context } from 'aws-lambda';
import { systemClock as clock, sleep } from '../io/platform/clock.ts';
import type { Environment } from '../io/platform/environment.ts';
import { requestIds } from '../io/platform/telemetry.ts';
import type { RunKind } from '../jobs/refresh/refresh.ts';
import { TIMEOUTS } from '../jobs/refresh/timeouts.ts';
import { createRefresh } from './wiring/refresh.ts';

type ScheduledHandler = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<void>;

/**
 * Makes the handler that runs the refresher, which reads the markets of Polymarket and stores them.
 * Events of the schedules name the kind of run: `full` or, for prices alone, `prices`. Events of a
 * deployment or a person do not, and start a full run.
 *
 * @param pause waits for a number of milliseconds, as a price run does before it begins
 */
export function create(
  environment: Environment,
  pause = (ms: number) => sleep(clock, ms),
): ScheduledHandler {
  const refresh = createRefresh(environment);
  return async (event, context) => {
    const kind = kindOf(event);
    await requestIds.run(context.awsRequestId, async () => {
      if (kind === 'prices') await pause(TIMEOUTS.priceRunDelayMs);
      await refresh.run(kind, context.getRemainingTimeInMillis());
    });
  };
}

function kindOf(event: unknown): RunKind {
  const kind =
    typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  return kind === 'prices' ? 'prices' : 'full';
}
