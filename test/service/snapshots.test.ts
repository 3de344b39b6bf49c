import { afterAll, describe, expect, it } from '@jest/globals';
import { eventually, type Row, startTestService, type TestResponse } from './support.ts';

/** How far the upstream's clock is ahead, so that prices move between two runs. */
let ahead = 0;
const service = await startTestService({ now: () => Date.now() + ahead });
afterAll(() => service.stop());

const newest = (): Promise<TestResponse> => service.get('/api/markets?limit=1000');
const idOf = ({ headers }: TestResponse): string => headers.get('x-snapshot-id') ?? '';
const rowsOf = ({ json }: TestResponse): Row[] => json as Row[];
const pricesOf = (rows: readonly Row[]): Map<unknown, unknown> =>
  new Map(rows.map(({ id, currentProbability }) => [id, currentProbability]));

/** Lets prices move, publishes them, and waits until the endpoints have noticed: they look every few seconds. */
async function publish(kind: 'full' | 'prices'): Promise<TestResponse> {
  const before = idOf(await newest());
  ahead += 600_000;
  await service.refresh(kind);
  return await eventually(async () => {
    const response = await newest();
    if (idOf(response) === before) throw new Error('The endpoint has not read the new snapshot');
    return response;
  });
}

/** The whole list before any other run, after a price run, and after a full run without some markets. */
const first = await newest();
const firstPage = await service.get('/api/markets?limit=300');
const second = await publish('prices');
service.simulator.addFault({ route: 'gamma', kind: 'missing', share: 0.1 });
const third = await publish('full');

describe('paging', () => {
  it('sees every market of one snapshot once, although others were published meanwhile', async () => {
    const read = rowsOf(firstPage);
    let page = firstPage;
    for (let next: string | undefined; ; ) {
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      page = await service.get(next);
      read.push(...rowsOf(page));
    }

    expect(read).toEqual(rowsOf(first));
    expect(pricesOf(read)).not.toEqual(pricesOf(rowsOf(second)));
  });
});

describe('GET /api/markets/changes', () => {
  it.each([
    ['since the snapshot before, after a full run that lost markets', second],
    ['over two runs', first],
  ])('adds up to the newest list %s', async (_, before) => {
    const { json, text } = await service.get(`/api/markets/changes?since=${idOf(before)}`);
    const { to, changed, removed, added } = json as {
      readonly to: string;
      readonly changed: readonly Row[];
      readonly added: readonly Row[];
      readonly removed: readonly string[];
    };
    const list = new Map(rowsOf(before).map((row) => [row.id, row]));
    for (const id of removed) list.delete(id);
    for (const row of [...added, ...changed]) list.set(row.id, { ...list.get(row.id), ...row });

    expect(to).toBe(idOf(third));
    expect(changed.length).toBeGreaterThan(0);
    expect(removed.length).toBeGreaterThan(0);
    expect(pricesOf([...list.values()])).toEqual(pricesOf(rowsOf(third)));
    expect(text.length).toBeLessThan(before.text.length / 2);
  });
});

describe('the list, events and single markets', () => {
  it('agree on every market of an event', async () => {
    const [event] = await service.list('/api/events?limit=1&sort=volume24h');
    const { json } = await service.get(`/api/events/${event?.slug}?fields=id,currentProbability`);
    const { markets } = json as { markets: Row[] };
    const listed = await service.list(`/api/markets?event=${event?.slug}&fields=id,currentProbability&limit=100`);
    const single = await service.get(`/api/markets/${markets[0]?.id}`);

    expect(pricesOf(markets)).toEqual(pricesOf(listed));
    expect(single.json).toMatchObject(markets[0] as Row);
  });
});
