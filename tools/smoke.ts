/** `npm run smoke`: checks a deployment as a caller. Options: see USAGE. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as limits from '../lambda/core/contract/constants.ts';
import { ERRORS, type ErrorCode } from '../lambda/core/contract/errors.ts';
import { ALLOWED_METHODS, EXPOSED_HEADERS } from '../lambda/core/contract/headers.ts';
import { DOCUMENTED_ROUTES, ROUTES, type Route, type RouteName } from '../lambda/core/contract/route-table.ts';
import type { FromSchemaNamed } from '../lambda/core/contract/schemas.ts';
import { plural } from '../local/console.ts';
import { openApiDocument } from './openapi/document.ts';

const USAGE = `Usage: npm run smoke -- <base-url> [--api-key KEY] [--api-url URL]

<base-url>   the public address of a deployment
--api-key    the key of a partner, or the public key for an address of API Gateway; sent with each request
--api-url    the address of API Gateway behind the public one: it must reject callers without a key

Makes about 80 requests, of which 45 count towards the limit of 60 a minute, and waits before it reaches the limit.
Exit status: 0 all checks passed, 1 a check failed, 2 the deployment does not respond or the options are wrong.`;

type Query = Readonly<Record<string, string>>;
type Markets = readonly FromSchemaNamed<'Market'>[];

const TIMEOUT_MS = 15_000;
/** The checks leave these to other callers with the same address. */
const SPARE_REQUESTS = 3;
const PAGE_SIZE = 5;
/** No market has this token. */
const UNKNOWN_TOKEN = '1';
const LONG_BODY = { method: 'POST', body: 'x'.repeat(limits.MAX_BODY_CHARACTERS + 1) };

/** Requests that must fail: path, code, and the parameter in the error's sentence. */
type Failure = readonly [path: string, code: ErrorCode, names?: string, options?: RequestInit];
const FAILURES: readonly Failure[] = [
  ['/api/markets?limit=0', 'invalid_parameter', 'limit'],
  ['/api/markets?snapshot=abc', 'invalid_parameter', 'snapshot'],
  ['/api/markets?snapshot=20200101T000000000Z-00000000', 'snapshot_gone'],
  ['/api/markets/search', 'missing_parameter', 'q'],
  ['/api/markets/no-such-market', 'no_market'],
  ['/api/events/no-such-event', 'no_event'],
  ['/api/clob/order-book', 'missing_parameter', 'token_id'],
  ['/api/clob/order-book?token_id=0x12', 'invalid_parameter', 'token_id'],
  [`/api/clob/order-book?token_id=${UNKNOWN_TOKEN}`, 'no_order_book'],
  ['/api/no-such-path', 'not_found'],
  ['/api/markets', 'method_not_allowed', 'GET', { method: 'DELETE' }],
  ['/api/markets', 'body_too_large', '', LONG_BODY],
];

function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

class Deployment {
  requests = 0;
  counted = 0;
  readonly hasKey: boolean;
  /** A local server may have no limit (`npm start -- --rate-limit off`). */
  readonly isLocal: boolean;
  readonly #base: string;
  readonly #headers: Query;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  #waitMs = 0;

  constructor(base: string, apiKey: string | undefined) {
    this.hasKey = apiKey !== undefined;
    this.isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(base).hostname);
    this.#base = base.replace(/\/$/, '');
    this.#headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
    formats.default(this.#ajv);
    this.#ajv.addSchema({ ...openApiDocument(), $id: 'api' });
  }

  /** @param target a path below the base address, or an address */
  async call(target: string, options: RequestInit = {}) {
    const url = target.startsWith('/') ? `${this.#base}${target}` : target;
    await sleep(this.#waitMs);
    this.requests += 1;
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...options,
      // API Gateway compresses only for the first coding, and Node's default begins with "br" over TLS.
      headers: { 'accept-encoding': 'gzip', ...this.#headers, ...Object.fromEntries(new Headers(options.headers)) },
    });
    const header = (name: string) => response.headers.get(name) ?? '';
    const [, remaining, seconds] = /r=(\d+);t=(\d+)/.exec(header('ratelimit')) ?? [];
    if (remaining !== undefined) this.counted += 1;
    this.#waitMs = Number(remaining) <= SPARE_REQUESTS ? (Number(seconds) + 1) * 1_000 : 0;
    return { status: response.status, header, text: await response.text(), url };
  }

  async get<T>(route: RouteName, query: Query = {}) {
    const { path }: Route = ROUTES[route];
    const inQuery = Object.entries(query).filter(([name]) => !path.includes(`{${name}}`));
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(query[name] ?? ''));
    const response = await this.call(`${filled}?${new URLSearchParams(inQuery)}`);
    return { response, body: this.documented<T>(route, response) };
  }

  /** @throws Error unless the API document describes the body */
  documented<T>(route: RouteName, { status, text }: { status: number; text: string }): T {
    ensure(status === 200, `status ${status}: ${text.slice(0, 200)}`);
    const { path, response }: Route = ROUTES[route];
    if (response.mediaType !== undefined) return text as T;
    const at = `${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json`;
    const validate = this.#ajv.getSchema(`api#/paths/${at}/schema`);
    const body: unknown = JSON.parse(text);
    if (validate?.(body)) return body as T;
    const wrong = validate?.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`not as documented: ${wrong?.slice(0, 3).join('; ')}`);
  }

  firstPage() {
    return this.get<Markets>('list-markets', { limit: String(PAGE_SIZE) });
  }
}

/** Returns a detail. @throws Error that names the problem */
type Check = (deployment: Deployment) => Promise<string>;

const CHECKS: Readonly<Record<string, Check>> = {
  /** With the list's first market. */
  'every endpoint responds as documented': async (deployment) => {
    const { body } = await deployment.firstPage();
    const [market] = body;
    ensure(market !== undefined, 'there are no markets');
    const events = await deployment.get<readonly FromSchemaNamed<'Event'>[]>('list-events', { limit: '1' });
    const slug = events.body[0]?.slug ?? '';
    const { clobTokenId, question } = market;
    const q = question.slice(0, limits.QUERY_MAX_CHARACTERS);
    const query = { token_id: clobTokenId, id: clobTokenId, q, slug, limit: '2' };
    const routes = Object.entries<Route>(DOCUMENTED_ROUTES);
    for (const [name, { parameters }] of routes) {
      const sent = Object.entries(query).filter(([key]) => key in parameters);
      await deployment.get(name as RouteName, Object.fromEntries(sent)).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`);
      });
    }
    return `${routes.length} endpoints`;
  },
  'the data is fresh': async (deployment) => {
    const { response, body } = await deployment.get<FromSchemaNamed<'Status'>>('get-status');
    const { status: state, ageSeconds, markets, freshForSeconds, version } = body;
    const isFresh = Number(ageSeconds) <= freshForSeconds + limits.PUBLISH_GRACE_SECONDS;
    // Degraded data is served: the detail below shows it.
    ensure(['ok', 'degraded'].includes(state) && isFresh, `${state}, ${ageSeconds} s old`);
    ensure(response.header('ratelimit') === '', 'the limit counts the status');
    return `${state}, ${plural(Number(markets), 'market')}, ${ageSeconds} s old, version ${version}`;
  },
  'the default page is whole': async (deployment) => {
    const { response, body } = await deployment.get<Markets>('list-markets');
    const total = Number(response.header('x-total-count'));
    const expected = Math.min(limits.MARKETS_LIMIT_DEFAULT, total);
    ensure(body.length === expected, `${body.length} markets instead of ${expected}`);
    ensure(response.header('content-encoding') === 'gzip', 'the response is not compressed');
    const policy = response.header('ratelimit-policy');
    const expectedPolicy = `"per-ip";q=${limits.REQUESTS_PER_MINUTE};w=60`;
    const isUnlimited = policy === '' && (deployment.hasKey || deployment.isLocal);
    ensure(policy === expectedPolicy || isUnlimited, `RateLimit-Policy is ${policy || 'missing'}`);
    return `${plural(total, 'market')}, ${isUnlimited ? 'no limit per address' : `limit ${policy}`}`;
  },
  'a walk reads one snapshot': async (deployment) => {
    const { response, body } = await deployment.firstPage();
    const link = response.header('link');
    const next = /<([^>]*)>; rel="next"/.exec(link)?.[1];
    ensure(next !== undefined, `Link is "${link}"`);
    const second = await deployment.call(new URL(next, response.url).href);
    const more = deployment.documented<Markets>('list-markets', second);
    ensure(second.header('x-snapshot-id') === response.header('x-snapshot-id'), 'the snapshot changes');
    const ids = new Set([...body, ...more].map(({ id }) => id));
    ensure(ids.size === 2 * PAGE_SIZE, `two pages have ${ids.size} markets`);
    return response.header('x-snapshot-id');
  },
  'the forms of the list': async (deployment) => {
    const { response, body } = await deployment.get<Markets>('list-markets', { limit: '1', fields: 'id' });
    ensure(Object.keys(body[0] ?? {}).join() === 'id', 'the query has no effect');
    const path = `/api/markets?limit=1&snapshot=${response.header('x-snapshot-id')}`;
    const head = await deployment.call(path, { method: 'HEAD' });
    ensure(head.status === 200 && head.text === '', `HEAD gets ${head.status}`);
    const known = await deployment.call(path, { headers: { 'if-none-match': head.header('etag') } });
    ensure(known.status === 304, `If-None-Match gets ${known.status}`);
    const csv = await deployment.call(path, { headers: { accept: 'text/csv' } });
    ensure(csv.text.startsWith('id,question,'), `the CSV begins with ${csv.text.slice(0, 50)}`);
    return 'query, HEAD, 304, CSV';
  },
  'agents can call a tool': async (deployment) => {
    const message = { method: 'tools/call', params: { name: 'list_markets', arguments: { limit: 1 } } };
    const response = await deployment.call(ROUTES.mcp.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
    ensure(
      response.status === 200 && /"ageSeconds":\d+/.test(response.text),
      `the result is ${response.text.slice(0, 200)}`,
    );
    return message.params.name;
  },
  'the page loads': async (deployment) => {
    const files = new Set<string>();
    for (const path of ['/', '/docs']) {
      const { status: code, header, text } = await deployment.call(path);
      ensure(header('content-type').startsWith('text/html'), `${path} is ${code} ${text.slice(0, 100)}`);
      for (const [, file] of text.matchAll(/(?:src|href)="\.?\/?(assets\/[^"]+)"/g)) files.add(`/${file}`);
    }
    ensure(files.size > 0, 'the page loads no files');
    for (const file of files) {
      const { status: code, header } = await deployment.call(file);
      ensure(code === 200 && header('cache-control').includes('immutable'), `${file} is ${code}`);
    }
    return `${files.size} files`;
  },
  'errors are as documented': async (deployment) => {
    for (const [path, code, names = '', options] of FAILURES) {
      const { status: sent, text, header } = await deployment.call(path, options);
      const seen = `${options?.method ?? 'GET'} ${path} gets ${sent} ${text.slice(0, 200)}`;
      ensure(sent === ERRORS[code].status && text.includes(`"code":"${code}"`), seen);
      ensure(text.includes(names) && text.includes(`"requestId":"${header('x-request-id')}"`), seen);
      ensure(header('cache-control') === 'no-store', `caches may store the error of ${path}`);
      ensure(sent !== 405 || header('allow') === ALLOWED_METHODS.join(', '), `Allow is ${header('allow')}`);
    }
    return `${FAILURES.length} errors`;
  },
  'other origins may read': async (deployment) => {
    const routes = [...Object.values(DOCUMENTED_ROUTES), ROUTES.mcp];
    const paths = routes.map((route) => route.path.replace(/[{}]/g, ''));
    for (const path of paths) {
      const { status: sent, header } = await deployment.call(path, { method: 'OPTIONS' });
      ensure(sent < 300 && header('access-control-allow-origin') === '*', `the preflight of ${path} gets ${sent}`);
    }
    for (const path of ['/api/status', '/api/markets?limit=0', '/no-such-path']) {
      const exposed = (await deployment.call(path)).header('access-control-expose-headers').toLowerCase();
      const hidden = EXPOSED_HEADERS.filter((name) => !exposed.includes(name.toLowerCase()));
      ensure(hidden.length === 0, `${path} hides ${hidden.join(', ')}`);
    }
    return `${paths.length} preflights`;
  },
};

/** API Gateway itself must reject a caller who bypasses the public address. */
async function rejectsWithoutKey(apiUrl: string): Promise<string> {
  const { status, text } = await new Deployment(apiUrl, undefined).call('/api/status');
  ensure(status === 403 && text.includes('"code":"missing_api_key"'), `${status} ${text.slice(0, 200)}`);
  return apiUrl;
}

/** Runs the checks in sequence, prints a line each, returns the exit status. */
export async function smoke(args: readonly string[], print: (line: string) => void): Promise<0 | 1> {
  const text = { type: 'string' } as const;
  const options = { 'api-key': text, 'api-url': text };
  const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [base = '', ...others] = positionals;
  if (!URL.canParse(base) || others.length > 0) throw new Error('The address of one deployment is needed.');
  const deployment = new Deployment(base, values['api-key']);
  await deployment.call('/api/status');
  const { 'api-url': apiUrl } = values;
  const extra: typeof CHECKS = apiUrl === undefined ? {} : { 'callers need a key': () => rejectsWithoutKey(apiUrl) };
  let failed = 0;
  for (const [name, check] of Object.entries({ ...CHECKS, ...extra })) {
    const start = performance.now();
    const result = await check(deployment).then(
      (seen) => `ok      ${name}: ${seen}`,
      (error: Error) => `FAILED  ${name}: ${error.message}`,
    );
    failed += result.startsWith('FAILED') ? 1 : 0;
    print(`${result} (${Math.round(performance.now() - start)} ms)`);
  }
  print(
    `${plural(failed, 'check')} failed. The limit counted ${deployment.counted} of ${deployment.requests} requests.`,
  );
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    process.exitCode = await smoke(process.argv.slice(2), console.log);
  } catch (error) {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    console.error(`${cause instanceof Error ? cause.message : cause}\n\n${USAGE}`);
    process.exitCode = 2;
  }
}
