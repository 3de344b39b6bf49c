import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningService, startRunningService } from '../../tools/running-service.ts';
import { captureOutput } from '../support/captured-output.ts';

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
  const now = new Date();
  Object.assign(values, {
    id: market?.id,
    slug: market?.slug,
    token: market?.clobTokenId,
    event: event?.slug,
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

describe('the cookbook of docs/api.md', () => {
  it.each(COOKBOOK)('%s', async (_, path) => {
    const own = path.startsWith('/api/events/') ? { ...values, slug: values.event ?? '' } : values;
    const filled = path
      .replace(/,…/g, '')
      .replace(/\{(\w+)\}/g, (_all, name: string) => own[name] ?? '');
    const { status } = await fetch(`${service.url}${filled}`);
    expect([filled, status]).toEqual([filled, 200]);
  });
});
