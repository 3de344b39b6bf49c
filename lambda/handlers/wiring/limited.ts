/** Makes the handlers of all endpoints whose requests the rate limit counts. */
import type { Endpoint } from '../../http/endpoint.ts';
import { type Handler, type LimitedRoute, pipeline } from '../../http/pipeline.ts';
import { systemClock } from '../../io/platform/clock.ts';
import { dynamoDbClient } from '../../io/platform/dynamodb.ts';
import {
  type Environment,
  type FunctionName,
  type ParsedEnvironment,
  readEnvironment,
} from '../../io/platform/environment.ts';
import { type Log, telemetry } from '../../io/platform/telemetry.ts';
import { RateLimiter } from '../../io/rate-limit/rate-limiter.ts';

/** An endpoint whose requests the rate limit counts, and which has a function of its own. */
type LimitedFunction = LimitedRoute & FunctionName;

/**
 * The type of `create`, which each file in handlers/ exports. Lambda's entry point calls it with
 * `process.env`, the local service with other variables.
 */
export type CreateHandler = (environment: Environment) => Handler;

/** What an endpoint gets from its function. `S`: the type of the function's variables. */
export interface FunctionContext<S> {
  readonly environment: Environment;
  /** The environment's variables, parsed. */
  readonly settings: S;
  readonly logger: Log;
}

/**
 * Returns a function that makes the handler of an endpoint whose requests the rate limit counts. It
 * reads the variables, and adds the log, the metrics and the limiter.
 *
 * @param endpoint makes the endpoint itself
 */
export function limitedHandler<R extends LimitedFunction>(
  route: R,
  endpoint: (context: FunctionContext<ParsedEnvironment<R>>) => Endpoint<R>,
): CreateHandler {
  return (environment) => {
    const settings = readEnvironment(route, environment);
    const { logger, metrics } = telemetry(route, environment);
    // The variables that every such function has, besides those of the route.
    const common = settings as ParsedEnvironment<LimitedFunction>;
    const rateLimit = {
      callers: { frontDoor: common.FRONT_DOOR, publicKeyIds: common.PUBLIC_API_KEY_IDS },
      limiter: limiterOf(environment, common, { logger, metrics }),
    };
    return pipeline({
      route,
      logger,
      metrics,
      rateLimit,
      endpoint: endpoint({ environment, settings, logger }),
    });
  };
}

const limiters = new Map<Environment, RateLimiter>();

/**
 * The limiter of an environment; undefined if its limit is off. Locally all endpoints share an
 * environment, and they must share its counts.
 */
function limiterOf(
  environment: Environment,
  settings: ParsedEnvironment<LimitedFunction>,
  observers: Pick<ConstructorParameters<typeof RateLimiter>[0], 'logger' | 'metrics'>,
): RateLimiter | undefined {
  const limit = settings.REQUESTS_PER_MINUTE;
  if (limit === 'off') return undefined;
  const known = limiters.get(environment);
  if (known) return known;
  const limiter = new RateLimiter({
    // The limiter decides what a failed attempt means, so the client does not repeat it.
    client: dynamoDbClient(environment, { maxAttempts: 1 }),
    table: settings.RATE_LIMIT_TABLE,
    timeoutMs: settings.RATE_LIMIT_TIMEOUT_MS,
    limit,
    clock: systemClock,
    ...observers,
  });
  limiters.set(environment, limiter);
  return limiter;
}
