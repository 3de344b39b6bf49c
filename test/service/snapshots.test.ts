import { afterAll, expect, it } from '@jest/globals';
import { clock, type Row, startTestService, type TestResponse } from './support.ts';

const service = await startTestService({ markets: 300 });
afterAll(() => service.stop());

const newest = (): Promise<TestResponse> => service.get('/api/markets?limit=1000');
const rowsOf = ({ json }: TestResponse): Row[] => json as Row[];
const pricesOf = (rows: readonly Row[]): Map<unknown, unknown> =>
  new Map(rows.map(({ id, currentProbability }) => [id, currentProbability]));

/** Lets prices move, and publishes them. */
async function publish(kind: 'full' | 'prices'): Promise<TestResponse> {
  clock.ahead += 600_000;
  await service.refresh(kind);
  return await service.get(`/api/markets?limit=1000&snapshot=${await service.newestId()}`);
}

/** The whole list before any other run, after a price run, and after a full run without some markets. */
const first = await newest();
const firstPage = await service.get('/api/markets?limit=100');
const second = await publish('prices');
service.simulator.addFault({ route: 'gamma', kind: 'missing', share: 0.1 });
await publish('full');
clock.ahead += 5_000;

it('paging sees every market of one snapshot once, although others were published meanwhile', async () => {
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

it('the list, events and single markets agree on every market of an event', async () => {
  const [event] = await service.list('/api/events?limit=1&sort=volume24h');
  const { json } = await service.get(`/api/events/${event?.slug}?fields=id,currentProbability`);
  const { markets } = json as { markets: Row[] };
  const listed = await service.list(`/api/markets?event=${event?.slug}&fields=id,currentProbability&limit=100`);
  const single = await service.get(`/api/markets/${markets[0]?.id}`);

  expect(pricesOf(markets)).toEqual(pricesOf(listed));
  expect(single.json).toMatchObject(markets[0] as Row);
});
