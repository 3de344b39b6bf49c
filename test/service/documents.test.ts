import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RunningService, startRunningService } from '../../tools/running-service.ts';
import { captureOutput } from '../support/captured-output.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

const README = readFileSync('README.md', 'utf8');
const API = readFileSync('docs/api.md', 'utf8');
/** Blocks of code that call the service. None uses a variable of another one. */
const BLOCKS = [...(README + API).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, code = '']) =>
  code.includes('http://127.0.0.1:3000') ? [[code.trim().split('\n')[0], code] as const] : [],
);
const [, COOKBOOK_SECTION = ''] = API.split('\n## Cookbook\n');
const COOKBOOK = [...COOKBOOK_SECTION.matchAll(/^- (.+): `(\/api\/.+)`$/gm)].map(
  ([, question = '', path = '']) => [question, path] as const,
);

const [, OTHER_APIS_SECTION = ''] = API.split('\n## Your call and ours\n');
const OTHER_APIS = [...OTHER_APIS_SECTION.matchAll(/^\| (.+) \| `(\/api\/.+)` \|$/gm)].map(
  ([, theirs = '', ours = '']) => [theirs, ours] as const,
);

let service: RunningService;
const values: Record<string, string> = {};

beforeAll(async () => {
  captureOutput();
  service = await startRunningService(300, true);
  const response = await fetch(`${service.url}/api/markets?limit=1`);
  const [market] = (await response.json()) as { id: string; slug: string; clobTokenId: string }[];
  const [event] = (await (await fetch(`${service.url}/api/events?limit=1`)).json()) as {
    slug: string;
  }[];
  const { tags } = (await (await fetch(`${service.url}/api/tags`)).json()) as {
    tags: { slug: string }[];
  };
  const now = new Date();
  Object.assign(values, {
    id: market?.id,
    slug: market?.slug,
    token: market?.clobTokenId,
    event: event?.slug,
    tag: tags[0]?.slug,
    start: String(Math.round(now.getTime() / 1_000) - 86_400),
    end: String(Math.round(now.getTime() / 1_000)),
    snapshot: response.headers.get('x-snapshot-id'),
    nextMonth: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
      .toISOString()
      .slice(0, 10),
  });
});
afterAll(() => service?.stop());

it.each(BLOCKS)('the README and docs/api.md have calls that return data: %s', async (_, code) => {
  const script = code.replaceAll('http://127.0.0.1:3000', service.url);
  const { stdout } = await promisify(execFile)('sh', ['-ec', script]);
  expect(stdout.trim()).not.toBe('');
  expect(stdout).not.toContain('"error"');
});

const filled = (path: string, own: Readonly<Record<string, string>>): string =>
  path.replace(/,…/g, '').replace(/\{(\w+)\}/g, (_all, name: string) => own[name] ?? '');

describe('the calls of docs/api.md for callers of other APIs', () => {
  it.each(OTHER_APIS)('%s', async (_, path) => {
    const address = `${service.url}${filled(path, values)}`;
    const response = await fetch(address);
    expect([address, response.status]).toEqual([address, 200]);
    expect((await response.text()).length).toBeGreaterThan('{"history":[]}'.length);
  });
});

describe('the cookbook of docs/api.md', () => {
  it.each(COOKBOOK)('%s', async (_, path) => {
    const own = path.startsWith('/api/events/') ? { ...values, slug: values.event ?? '' } : values;
    const ours = filled(path, own);
    const { status } = await fetch(`${service.url}${ours}`);
    expect([ours, status]).toEqual([ours, 200]);
  });
});
