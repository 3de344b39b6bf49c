/**
 * Makes the handlers of the endpoints whose requests the rate limit counts: all but the market
 * page's.
 */
import type { RouteName } from '../../core/contract/route-table.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { type Handler, pipeline } from '../../http/pipeline.ts';
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

/** The functions of these endpoints. Each has the name of its route. */
type LimitedFunction = Exclude<FunctionName & RouteName, 'get-page'>;

/**
 * The type of `create`, which each file in handlers/ exports. Lambda's entry point calls it with
 * `process.env`, the local service with other variables.
 */
export type CreateHandler = (environment: Environment) => Handler;

/** What an endpoint gets from its function. */
export interface FunctionContext<Settings> {
  readonly environment: Environment;
  /** The environment's variables, parsed, such as `{ CLOB_URL: 'https://…' }`. */
  readonly settings: Settings;
  readonly logger: Log;
}

/**
 * Returns the `create` of a function. It reads the variables, and adds the log, the metrics and the
 * rate limit to the function's endpoint.
 */
export function limitedHandler<R extends LimitedFunction>(
  route: R,
  createEndpoint: (context: FunctionContext<ParsedEnvironment<R>>) => Endpoint<R>,
): CreateHandler {
  return (environment) => {
    const settings = readEnvironment(route, environment);
    const { logger, metrics } = telemetry(route, environment);
    // The type of the variables that all these functions have.
    const common = settings as ParsedEnvironment<LimitedFunction>;
    return pipeline({
      route,
      endpoint: createEndpoint({ environment, settings, logger }),
      // By these, the rate limit and the links tell callers apart.
      callers: { frontDoor: common.FRONT_DOOR, publicKeyIds: common.PUBLIC_API_KEY_IDS },
      limiter: limiterOf(environment, common, { logger, metrics }),
      logger,
      metrics,
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
  observers: ReturnType<typeof telemetry>,
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
