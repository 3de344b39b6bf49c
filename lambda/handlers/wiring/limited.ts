import { type Endpoint, type Handler, type LimitedRoute, pipeline } from '../../http/pipeline.ts';
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

type LimitedFunction = LimitedRoute & FunctionName;

/**
 * The type of `create`, which each file in handlers/ exports. Lambda's entry point calls it with
 * `process.env`, the local service with other variables.
 */
export type CreateHandler = (environment: Environment) => Handler;

/** What an endpoint gets from its function. */
export interface FunctionContext<S> {
  readonly environment: Environment;
  /** The environment's variables, parsed. */
  readonly settings: S;
  readonly logger: Log;
}

/**
 * Returns a function that makes the handler of an endpoint whose requests the rate limit counts. It
 * reads the variables, and adds the log, the metrics and the limiter.
 */
export function limitedHandler<R extends LimitedFunction>(
  route: R,
  endpoint: (context: FunctionContext<ParsedEnvironment<R>>) => Endpoint<R>,
): CreateHandler {
  return (environment) => {
    const settings = readEnvironment(route, environment);
    const { logger, metrics } = telemetry(route, environment);
    const { FRONT_DOOR, PUBLIC_API_KEY_IDS, ...limits } =
      settings as ParsedEnvironment<LimitedFunction>;
    const {
      RATE_LIMIT_TABLE: table,
      REQUESTS_PER_MINUTE: limit,
      RATE_LIMIT_TIMEOUT_MS: timeoutMs,
    } = limits;
    // The limiter decides what a failed attempt means, so the client does not repeat it.
    const client = dynamoDbClient(environment, { maxAttempts: 1 });
    const options = { client, table, clock: systemClock, logger, metrics, timeoutMs };
    const limiter = limit === 'off' ? undefined : limiterOf(environment, { ...options, limit });
    const rateLimit = {
      callers: { frontDoor: FRONT_DOOR, publicKeyIds: PUBLIC_API_KEY_IDS },
      limiter,
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
 * One limiter per process: locally all endpoints share an environment, and they must share its
 * counts.
 */
function limiterOf(
  environment: Environment,
  options: ConstructorParameters<typeof RateLimiter>[0],
): RateLimiter {
  const limiter = limiters.get(environment) ?? new RateLimiter(options);
  limiters.set(environment, limiter);
  return limiter;
}
