import type { Context } from 'aws-lambda';
import { systemClock as clock, sleep } from '../io/platform/clock.ts';
import type { Environment } from '../io/platform/environment.ts';
import { requestIds } from '../io/platform/telemetry.ts';
import type { RunKind } from '../jobs/refresh/refresh.ts';
import { TIMEOUTS } from '../jobs/refresh/timeouts.ts';
import { createRefresh } from './wiring/refresh.ts';

/** A handler of scheduled events. */
type RefreshEvent = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<void>;

/**
 * Makes the handler that runs the refresher. Events of the schedules name the kind of run. Events
 * of a deployment or a person do not: they start a full run.
 *
 * @param pause waits for a number of milliseconds. A price run waits before it begins
 */
export function create(
  environment: Environment,
  pause = (ms: number) => sleep(clock, ms),
): RefreshEvent {
  const refresh = createRefresh(environment);
  return async (event, context) => {
    const kind = kindOf(event);
    await requestIds.run(context.awsRequestId, async () => {
      if (kind === 'prices') await pause(TIMEOUTS.priceRunDelayMs);
      await refresh.run(kind, context.getRemainingTimeInMillis());
    });
  };
}

/** The kind of run that an event names; `full` if it names none. */
function kindOf(event: unknown): RunKind {
  const kind =
    typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  return kind === 'prices' ? 'prices' : 'full';
}
