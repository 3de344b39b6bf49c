import { ROUTES } from '../contract/routes.ts';
import { readEnvironment } from '../platform/environment.ts';
import { telemetry } from '../platform/telemetry.ts';

const settings = readEnvironment('watch-front-door', process.env);
const { logger } = telemetry('watch-front-door');

/** The check fails after this time: a caller would not wait longer. */
const TIMEOUT_MS = 10_000;
const EXCERPT_CHARACTERS = 200;

/**
 * Requests the status as any caller does: through CloudFront, its web ACL, the public key and API Gateway. No alarm
 * inside the stack covers this path. Other alarms cover the age of the data, so this check accepts every age.
 *
 * @throws when the response is not a status of the service, or does not arrive in time. Lambda counts the error
 */
export async function handler(): Promise<void> {
  let status: number | undefined;
  let body = '';
  try {
    const url = `${settings.FRONT_DOOR_URL}${ROUTES['get-status'].path}`;
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    status = response.status;
    body = await response.text();
    if (!response.ok || !isStatus(JSON.parse(body))) throw new Error('This is not a status of the service');
  } catch (error) {
    const excerpt = body.slice(0, EXCERPT_CHARACTERS);
    logger.error('The front door does not respond as it should', { status, excerpt, error });
    throw error;
  }
}

function isStatus(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && typeof body.status === 'string';
}
