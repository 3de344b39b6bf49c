import { expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/contract/constants.ts';
import { getEvent } from '../../../../lambda/endpoints/get-event.ts';
import { listMarkets } from '../../../../lambda/endpoints/list-markets.ts';
import { EventTable } from '../../../../lambda/query/event-table.ts';
import { MarketTable } from '../../../../lambda/query/market-table.ts';
import { marketRecord } from '../../../support/market-record.ts';
import { manifestOf } from './manifest.ts';

const MARKETS = 900;
const asOf = Date.parse('2026-11-21T12:00:00Z');
const options = { rule: { freshSeconds: 120, staleIfErrorSeconds: 0 }, now: () => asOf, edgeCache: false };

function rig(questionCharacters: number) {
  const records = Array.from({ length: MARKETS }, (_, n) =>
    marketRecord(n, { eventSlug: 'a big/one', question: 'é'.repeat(questionCharacters) }),
  );
  const table = new MarketTable(records);
  const manifest = manifestOf('newest', asOf);
  const held = async <V>(view: V) => ({ manifest, view });
  const events = { table, events: new EventTable(table) };
  const event = getEvent({
    ...options,
    cache: { latest: () => held(events), byId: () => held(events) },
  });
  const list = listMarkets({ ...options, cache: { latest: () => held(table), byId: () => held(table) } });
  const request = { sent: {}, headers: {} };
  return {
    event: (fields?: readonly 'all'[]) =>
      event({
        ...request,
        parameters: { slug: 'a big/one', fields },
        sent: fields ? { fields: fields.join() } : {},
        path: '/prod/api/events/a%20big%2Fone',
      }),
    /** As the list responds to a link. */
    follow: (link: string) => {
      const url = new URL(link, 'https://service.example');
      const { fields, offset, limit, ...others } = Object.fromEntries(url.searchParams);
      const parameters = {
        ...others,
        fields: fields?.split(','),
        offset: Number(offset),
        limit: Number(limit),
      };
      return list({ ...request, parameters, path: url.pathname } as Parameters<typeof list>[0]);
    },
  };
}

function nextOf(link: string | undefined): string | undefined {
  return /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
}

it('has all markets and no links where they fit', async () => {
  const { headers, body } = await rig(10).event();
  expect(JSON.parse(body).markets).toHaveLength(MARKETS);
  expect(headers).toMatchObject({ 'X-Total-Count': String(MARKETS) });
  expect(headers).not.toHaveProperty('Link');
});

it.each([
  ['default fields', undefined],
  ['all fields', ['all'] as const],
])('is cut where Lambda would not hand it on, and the list goes on where it ended: %s', async (_, fields) => {
  const { event, follow } = rig(4_500);
  const first = await event(fields);
  const { markets, ...summary } = JSON.parse(first.body);
  expect(Buffer.byteLength(JSON.stringify(first.body))).toBeLessThanOrEqual(MAX_RESPONSE_BYTES);
  expect(markets.length).toBeLessThan(MARKETS);
  expect(summary.slug).toBe('a big/one');
  const seen: { id: string }[] = [...markets];
  expect(nextOf(first.headers.Link)).toMatch(/^\/prod\/api\/markets\?/);
  for (let link = nextOf(first.headers.Link); link; ) {
    const page = await follow(link);
    seen.push(...JSON.parse(page.body));
    link = nextOf(page.headers.Link);
  }
  expect(seen.map((market) => Object.keys(market).sort())[MARKETS - 1]).toEqual(
    Object.keys(markets[0]).sort(),
  );
  expect(new Set(seen.map(({ id }) => id)).size).toBe(MARKETS);
  expect(seen).toHaveLength(MARKETS);
});
