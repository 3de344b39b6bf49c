/**
 * Checks of a stage that `npm run test:deploy` deployed to an emulator of AWS. Each throws an Error
 * if the stage is not as expected.
 */
import { ok } from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromSchemaNamed } from '../../lambda/core/contract/schemas.ts';
import { smoke } from '../../tools/smoke.ts';
import type { Outputs } from './archive.ts';
import type { Emulator } from './emulator.ts';

type Status = FromSchemaNamed<'Status'>;

/** The stage accepts 60 requests a minute. These leave 48 of them to the other steps. */
const POLL_SECONDS = 5;
/** A full run begins every 120 s, and a price run in between. The rest is for the emulator. */
const BOTH_KINDS_SECONDS = 150;

/**
 * Reads `/api/status` until it is as expected.
 *
 * @throws Error with the last status after `seconds`
 */
export async function statusWhen(
  url: string,
  expected: (status: Status) => boolean,
  seconds: number,
): Promise<Status> {
  let last = '';
  for (let waited = 0; waited < seconds; waited += POLL_SECONDS) {
    const response = await fetch(`${url}/api/status`);
    const text = await response.text();
    if (response.ok) {
      const status: Status = JSON.parse(text);
      if (expected(status)) return status;
    }
    last = `${response.status} ${text}`;
    await sleep(POLL_SECONDS * 1_000);
  }
  throw new Error(`after ${seconds} s the status is ${last}`);
}

export const isOk = ({ status }: Status): boolean => status === 'ok';

/**
 * Waits until both schedules have started a run that published a snapshot: a full run, and a price
 * run, which keeps the catalogue of the snapshot before.
 *
 * @returns the kinds of these runs, in the order in which they came
 */
export async function seeBothKinds(url: string): Promise<string> {
  const kinds = new Set<string>();
  let before = await statusWhen(url, isOk, 1);
  const until = Date.now() + BOTH_KINDS_SECONDS * 1_000;
  while (kinds.size < 2) {
    const isNewer = ({ snapshot }: Status) => snapshot !== before.snapshot;
    const status = await statusWhen(url, isNewer, (until - Date.now()) / 1_000);
    kinds.add(status.catalogueAsOf === before.catalogueAsOf ? 'prices' : 'full');
    before = status;
  }
  return [...kinds].join(', then ');
}

/** Runs the smoke test, which calls every endpoint. @returns its last line */
export async function checkEndpoints(url: string): Promise<string> {
  const lines: string[] = [];
  await smoke([url], (line) => lines.push(line));
  const failures = lines.filter((line) => line.startsWith('FAILED'));
  ok(failures.length === 0, `\n${failures.join('\n')}`);
  return lines.at(-1) ?? '';
}

/**
 * Calls a path of the API without CloudFront. Without a key, the API must reject the call.
 *
 * @returns the JSON of its response to a call with the public key
 */
export async function checkKeys(
  emulator: Emulator,
  { ApiUrl = '', PublicApiKeyId = '' }: Outputs,
  path: string,
): Promise<unknown> {
  const { hostname, pathname } = new URL(ApiUrl);
  const [apiId] = hostname.split('.');
  const base = `${emulator.endpoint}/_aws/execute-api/${apiId}${pathname.replace(/\/$/, '')}`;
  const anonymous = await fetch(`${base}${path}`);
  ok(anonymous.status === 403, `the API responds with ${anonymous.status} without a key`);
  const { value } = await emulator.call('apigateway', 'get_api_key', {
    apiKey: PublicApiKeyId,
    includeValue: true,
  });
  const withKey = await fetch(`${base}${path}`, { headers: { 'x-api-key': String(value) } });
  ok(withKey.status === 200, `the API responds with ${withKey.status} to the public key`);
  return await withKey.json();
}
