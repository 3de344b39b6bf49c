import { ROUTES } from '../../core/contract/route-table.ts';
import { type Clock, sleep, systemClock, withTimeout } from '../../io/platform/clock.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { telemetry } from '../../io/platform/telemetry.ts';

/** A request fails after this time: a caller would not wait longer. */
const TIMEOUT_MS = 10_000;
/** A check that succeeds at any attempt within a minute is a success: only a lasting failure concerns a person. */
const ATTEMPTS = 3;
const PAUSE_MS = 10_000;
const EXCERPT_CHARACTERS = 200;

interface Failure {
  readonly error: unknown;
  readonly status?: number;
  readonly excerpt?: string;
}

/**
 * Makes the check of the front door. It requests the status as any caller does: through CloudFront, its web ACL, the
 * public key and API Gateway. No alarm inside the stack covers this path. Other alarms cover the age of the data, so this
 * check accepts every age. It also accepts 429: callers together share the rate of this path.
 *
 * The check throws when no attempt gets a response of the service in time. Lambda counts the error.
 */
export function createFrontDoorWatch(environment: Environment, clock: Clock = systemClock): () => Promise<void> {
  const { FRONT_DOOR_URL } = readEnvironment('watch-front-door', environment);
  const { logger } = telemetry('watch-front-door', environment);
  const url = `${FRONT_DOOR_URL}${ROUTES['get-status'].path}`;
  return async () => {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await requestStatus(url, clock);
      if (!failure) return;
      if (attempt === ATTEMPTS) {
        logger.error('The front door does not respond as it should', { ...failure });
        throw failure.error;
      }
      await sleep(clock, PAUSE_MS);
    }
  };
}

async function requestStatus(url: string, clock: Clock): Promise<Failure | undefined> {
  let status: number | undefined;
  let body = '';
  try {
    await withTimeout(clock, TIMEOUT_MS, async (signal) => {
      const response = await fetch(url, { redirect: 'manual', signal });
      status = response.status;
      body = await response.text();
    });
    if (status === 429 || (status === 200 && isStatus(JSON.parse(body)))) return undefined;
    throw new Error('This is not a status of the service');
  } catch (error) {
    return { error, excerpt: body.slice(0, EXCERPT_CHARACTERS), ...(status !== undefined && { status }) };
  }
}

function isStatus(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string';
}
