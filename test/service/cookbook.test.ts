import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from './support/test-service.ts';

/** The README's table of questions: what is asked, and the one request for it. */
const QUESTIONS = [...readFileSync('README.md', 'utf8').matchAll(/^\| ([^|]+?) +\| `(\/api\/[^`]+)`/gm)].map(
  ([, question = '', request = '']) => [question, request] as const,
);
const MOST_BYTES = 10 * 1_024;
/** Questions to which the simulated markets may have nothing to say. */
const MAY_BE_EMPTY = /within|Near certain|Bitcoin|Europe|Coin flips|changed/;

interface Listed {
  readonly id: string;
  readonly slug: string;
  readonly clobTokenId: string;
  readonly eventSlug?: string;
}

let service: TestService;
let values: Readonly<Record<string, string>>;

beforeAll(async () => {
  service = await TestService.start({
    upstream: { markets: 400 },
    environment: { REQUESTS_PER_MINUTE: 'off' },
  });
  await service.service.refresh();
  const fields = 'id,slug,clobTokenId,eventSlug';
  const { json, headers } = await service.call(`/api/markets?limit=30&fields=${fields}`);
  const markets: readonly Listed[] = json;
  const [first] = markets;
  const event = (await service.call('/api/events?limit=1')).json[0].slug as string;
  const ofEvent: readonly Listed[] = (await service.call(`/api/events/${event}?fields=clobTokenId`)).json
    .markets;
  const now = new Date();
  const monthsOn = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
  values = {
    EVENT: event,
    IDS: markets.map(({ id }) => id).join(),
    SLUG: first?.slug ?? '',
    TOKENS: ofEvent
      .slice(0, 20)
      .map(({ clobTokenId }) => clobTokenId)
      .join(),
    TOKEN: first?.clobTokenId ?? '',
    SNAPSHOT: /snapshot=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '',
    NEXT_MONTH: monthsOn(1),
    NEXT_YEAR: `${now.getUTCFullYear() + 1}-01-01`,
  };
  await service.service.refresh(); // so that something may have changed
}, 120_000);
afterAll(() => service?.close());

describe('the cookbook', () => {
  it('has twenty questions', () => {
    expect(QUESTIONS).toHaveLength(20);
  });

  it.each(QUESTIONS)('%s: one request of at most 10 KB gzipped', async (question, request) => {
    const path = request.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => values[name] ?? `no ${name}`);
    const { status, text, json, headers } = await service.call(path);
    expect([path, status]).toEqual([path, 200]);
    expect(gzipSync(text).length).toBeLessThanOrEqual(MOST_BYTES);
    if (Array.isArray(json)) {
      expect(headers.get('x-total-count')).toMatch(/^\d+$/);
      if (!MAY_BE_EMPTY.test(question)) expect(json.length).toBeGreaterThan(0);
    }
    if (request.includes('format=csv')) expect(text.split('\r\n')).toHaveLength(52);
  });
});
