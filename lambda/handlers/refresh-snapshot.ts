import type { Context } from 'aws-lambda';
import { createRefresh } from '../app/refresh/create-refresh.ts';
import type { RunKind } from '../app/refresh/refresh.ts';
import { systemClock as clock, sleep } from '../io/platform/clock.ts';
import type { Environment } from '../io/platform/environment.ts';
import { withRequestId } from '../io/platform/request-context.ts';

/**
 * A full run reads its prices some four seconds after it began. A price run waits a little, so that the times between
 * two readings are about equal.
 */
const PRICE_RUN_DELAY_MS = 2_000;

type RefreshEvent = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<void>;

/** Invoked by the schedules, whose events name the kind of run; by a deployment or a person without a kind. */
export function create(environment: Environment): RefreshEvent {
  const refresh = createRefresh(environment);
  return async (event, context) => {
    const kind = kindOf(event);
    await withRequestId(context.awsRequestId, async () => {
      if (kind === 'prices') await sleep(clock, PRICE_RUN_DELAY_MS);
      await refresh.run(kind, context.getRemainingTimeInMillis());
    });
  };
}

function kindOf(event: unknown): RunKind {
  const kind = typeof event === 'object' && event !== null && 'kind' in event ? event.kind : undefined;
  return kind === 'prices' ? 'prices' : 'full';
}
