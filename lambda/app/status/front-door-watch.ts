import { PER_IP_REFUSAL, WEB_ACL_REQUEST_ID } from '../../core/contract/errors.ts';
import { ROUTES } from '../../core/contract/route-table.ts';
import { type Clock, sleep, systemClock, withTimeout } from '../../io/platform/clock.ts';
import { type Environment, readEnvironment } from '../../io/platform/environment.ts';
import { telemetry } from '../../io/platform/telemetry.ts';

const TIMEOUT_MS = 10_000;
/** If any attempt within a minute succeeds, the check does: only a lasting failure concerns a person. */
const ATTEMPTS = 3;
const PAUSE_MS = 10_000;
const EXCERPT_CHARACTERS = 200;

interface Failure {
  readonly error: unknown;
  readonly path: string;
  readonly status?: number;
  readonly excerpt?: string;
}

interface Reading {
  readonly status: number;
  readonly json: unknown;
}

/**
 * Requests the status and one market as a caller does, through CloudFront and API Gateway: no other alarm covers this
 * path. The list may be missing while the status reports no fresh data. The only accepted 429 is that of the check's
 * own address: any other locks out all callers.
 *
 * @throws if no attempt gets both in time; Lambda counts the error
 */
export function createFrontDoorWatch(environment: Environment, clock: Clock = systemClock): () => Promise<void> {
  const { FRONT_DOOR_URL } = readEnvironment('watch-front-door', environment);
  const { logger } = telemetry('watch-front-door', environment);
  return async () => {
    for (let attempt = 1; ; attempt += 1) {
      const failure = await tryOnce(FRONT_DOOR_URL, clock);
      if (!failure) return;
      if (attempt === ATTEMPTS) {
        logger.error('The front door does not respond as it should', { ...failure });
        throw failure.error;
      }
      await sleep(clock, PAUSE_MS);
    }
  };
}

async function tryOnce(base: string, clock: Clock): Promise<Failure | undefined> {
  let path = '';
  let status: number | undefined;
  let body = '';
  try {
    await withTimeout(clock, TIMEOUT_MS, async (signal) => {
      const read = async (next: string): Promise<Reading> => {
        [path, status, body] = [next, undefined, ''];
        const response = await fetch(`${base}${path}`, { redirect: 'manual', signal });
        status = response.status;
        body = await response.text();
        return { status, json: JSON.parse(body) };
      };
      const health = await read(ROUTES['get-status'].path);
      if (isOwnLimit(health)) return;
      const { status: state } = fieldsOf(health.json);
      if (health.status !== 200 || typeof state !== 'string') throw new Error('This is not a status of the service');
      const list = await read(`${ROUTES['list-markets'].path}?limit=1`);
      const isListed = list.status === 200 && Array.isArray(list.json) && 'id' in fieldsOf(list.json[0]);
      const hasNoData = list.status === 502 && (state === 'stale' || state === 'empty');
      if (!isListed && !hasNoData && !isOwnLimit(list)) throw new Error('This is not a list with one market');
    });
    return undefined;
  } catch (error) {
    return { error, path, excerpt: body.slice(0, EXCERPT_CHARACTERS), ...(status !== undefined && { status }) };
  }
}

/** Whether the functions rejected the check's address. The web ACL sends its own request id. */
function isOwnLimit({ status, json }: Reading): boolean {
  const { error, requestId } = fieldsOf(json);
  return status === 429 && error === PER_IP_REFUSAL && requestId !== WEB_ACL_REQUEST_ID;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
