import assert from 'node:assert/strict';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { UPSTREAMS, type UpstreamRoute } from '../../lambda/io/upstream/upstreams.ts';
import type { RouteCalls } from '../../local/simulator/calls.ts';
import type { FleetRequest } from './containers.ts';

export interface Answer {
  readonly request: FleetRequest;
  readonly result: APIGatewayProxyResult;
}

/** Half of what upstream documents (docs/upstream.md); test/lambda/io/upstream/upstreams.test.ts compares them. */
const LIMITS: Readonly<Record<string, UpstreamRoute>> = { ...UPSTREAMS.gamma.routes, ...UPSTREAMS.data.routes };
/** The budget's window is 10.5 s long. */
const MAX_RETRY_AFTER = 11;

/** Compares the calls of each route with half of its limit, and prints both. */
export function checkCalls(
  what: string,
  calls: Readonly<Record<string, RouteCalls>>,
  answers: readonly Answer[],
): void {
  const groups = Map.groupBy(answers, ({ request, result }) => `${request.function} ${result.statusCode}`);
  const statuses = [...groups].map(([name, some]) => `${some.length} × ${name}`).sort();
  const most = Object.entries(calls).map(([name, { maxIn10Seconds }]) => `${name} ${maxIn10Seconds}`);
  console.log(`${what}: ${statuses.join(', ')}\n  most calls in 10 s: ${most.join(', ')}`);
  for (const [name, { maxIn10Seconds }] of Object.entries(calls)) {
    const limit = LIMITS[name]?.callsPer10Seconds ?? Number.POSITIVE_INFINITY;
    assert.ok(maxIn10Seconds <= limit, `${what}: ${maxIn10Seconds} calls of ${name} in 10 s, more than ${limit}`);
  }
}

/** An answer is right, or it says that the service has no room. */
export function checkAnswers(answers: readonly Answer[]): void {
  for (const { request, result } of answers) {
    const code = result.statusCode === 200 ? undefined : JSON.parse(result.body).code;
    const isNormal = result.statusCode === 200 || code === 'no_market' || code === 'upstream_busy';
    assert.ok(isNormal, `${request.path} responded ${result.statusCode}: ${result.body.slice(0, 300)}`);
    if (code !== 'upstream_busy') continue;
    const retryAfter = Number(result.headers?.['Retry-After']);
    assert.equal(result.statusCode, 503);
    assert.ok(retryAfter >= 1 && retryAfter <= MAX_RETRY_AFTER, `Retry-After ${retryAfter}`);
  }
}

/** What CLOB or the snapshot can answer is answered, while the other routes have no room. */
export function checkServed(answers: readonly Answer[]): void {
  const busy = answers.filter(({ result }) => result.statusCode === 503);
  assert.ok(busy.length > 0, 'The clients did not use up the budget');
  for (const { request, result } of answers) {
    const { function: name, query = {} } = request;
    if (name === 'get-market' || query.interval?.[0] === 'max') continue;
    assert.equal(result.statusCode, 200, `${request.path} responded ${result.statusCode}: ${result.body}`);
    if (name !== 'get-prices-histories') continue;
    const histories: Record<string, { history: unknown[] } | null> = JSON.parse(result.body);
    for (const token of request.listedTokens ?? []) assert.ok(histories[token]?.history.length, `no history: ${token}`);
  }
}
