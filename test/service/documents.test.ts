/**
 * Runs the calls that the README and docs/api.md show, against a running service with a simulated
 * Polymarket.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningService, startRunningService } from '../../tools/running-service.ts';
import { captureOutput } from '../support/captured-output.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

const README = readFileSync('README.md', 'utf8');
const API = readFileSync('docs/api.md', 'utf8');
const sectionOf = (title: string): string => API.split(`\n## ${title}\n`)[1] ?? '';

/** Blocks of shell code that call the service. Each works alone. */
const BLOCKS = Array.from((README + API).matchAll(/```sh\n([\s\S]*?)```/g), ([, code = '']) => ({
  firstLine: code.split('\n')[0],
  code,
})).filter(({ code }) => code.includes('http://127.0.0.1:3000'));
/** Lines such as "- A question: `/api/…`", as question and path. */
const COOKBOOK = Array.from(
  sectionOf('Cookbook').matchAll(/^- (.+): `(\/api\/.+)`$/gm),
  ([, question = '', path = '']) => ({ question, path }),
);
/** Rows such as "| a call of another API | `/api/…` |". */
const OTHER_APIS = Array.from(
  sectionOf('Your call and ours').matchAll(/^\| (.+) \| `(\/api\/.+)` \|$/gm),
  ([, theirs = '', path = '']) => ({ theirs, path }),
);

let service: RunningService;
/** The values for the names in braces of a path, such as `{slug}`. */
let values: Readonly<Record<string, string | undefined | null>>;
const DAY_SECONDS = 86_400;

beforeAll(async () => {
  captureOutput();
  service = await startRunningService(300, { keepFresh: true });
  const get = async <T>(path: string) => (await (await fetch(service.url + path)).json()) as T;
  const list = await fetch(`${service.url}/api/markets?limit=1`);
  const [market] = (await list.json()) as { id: string; slug: string; clobTokenId: string }[];
  const [event] = await get<{ slug: string }[]>('/api/events?limit=1');
  const { tags } = await get<{ tags: { slug: string }[] }>('/api/tags');
  const now = new Date();
  const end = Math.round(now.getTime() / 1_000);
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  values = {
    id: market?.id,
    slug: market?.slug,
    token: market?.clobTokenId,
    event: event?.slug,
    tag: tags[0]?.slug,
    start: String(end - DAY_SECONDS),
    end: String(end),
    snapshot: list.headers.get('x-snapshot-id'),
    nextMonth: nextMonth.toISOString().slice(0, 10),
  };
});
afterAll(() => service?.stop());

it.each(BLOCKS)(
  'a call of the README or docs/api.md returns data: $firstLine',
  async ({ code }) => {
    const script = code.replaceAll('http://127.0.0.1:3000', service.url);
    const { stdout } = await promisify(execFile)('sh', ['-ec', script]);
    expect(stdout.trim()).not.toBe('');
    expect(stdout).not.toContain('"error"');
  },
);

/** The address of a documented path, such as `/api/markets/{slug}?fields=id,…`. */
function addressOf(path: string): string {
  // In the path of an event, `{slug}` is the slug of the event and not of the market.
  const own = path.startsWith('/api/events/') ? { ...values, slug: values.event } : values;
  const filled = path
    .replace(/,…/g, '')
    .replace(/\{(\w+)\}/g, (_all, name: string) => own[name] ?? '');
  return service.url + filled;
}

describe('the calls of docs/api.md for callers of other APIs', () => {
  it.each(OTHER_APIS)('$theirs', async ({ path }) => {
    const address = addressOf(path);
    const response = await fetch(address);
    expect([address, response.status]).toEqual([address, 200]);
    // The shortest response without data.
    expect((await response.text()).length).toBeGreaterThan('{"history":[]}'.length);
  });
});

describe('the cookbook of docs/api.md', () => {
  it.each(COOKBOOK)('$question', async ({ path }) => {
    const address = addressOf(path);
    const { status } = await fetch(address);
    expect([address, status]).toEqual([address, 200]);
  });
});
