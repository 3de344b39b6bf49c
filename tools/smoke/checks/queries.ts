import type { FromSchemaNamed } from '../../../lambda/contract/schemas.ts';
import type { Market } from '../../../lambda/domain/market.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import { PAGE } from '../deployment.ts';
import { linkOf } from '../links.ts';

/** Whether the snapshot can be asked for less, in another order, and for one thing only. */
export const QUERY_CHECKS = checks([
  {
    name: 'query: filtered, sorted, with fields',
    run: async (deployment) => {
      const query = {
        limit: String(PAGE),
        minVolume: '1',
        sort: 'probability',
        fields: 'id,currentProbability',
      };
      const { response, body } = await deployment.get<Market[]>('list-markets', query);
      const percents = body.map(({ currentProbability }) => currentProbability);
      ensure(percents.length > 0, 'no market has any volume');
      ensure(
        percents.every((percent, n) => percent <= (percents[n - 1] ?? 100)),
        `not by probability: ${percents.join(', ')}`,
      );
      const names = new Set(body.flatMap((market) => Object.keys(market)));
      ensure([...names].join() === 'id,currentProbability', `fields: ${[...names].join()}`);
      return `${body.length} of ${response.headers.get('x-total-count')} markets`;
    },
  },
  {
    name: 'query: one market, by its token',
    run: async (deployment) => {
      const { id, clobTokenId } = await deployment.market();
      const { body } = await deployment.get<Market>('get-market', { id: clobTokenId });
      ensure(body.id === id, `the market of the token is ${body.id}`);
      return id;
    },
  },
  {
    name: 'query: events, and one of them',
    run: async (deployment) => {
      const { body: events } = await deployment.get<FromSchemaNamed<'Event'>[]>('list-events', {
        limit: String(PAGE),
      });
      const [event] = events;
      ensure(event !== undefined, 'there are no events');
      const { body } = await deployment.get<{ markets: Market[] }>('get-event', {
        slug: event?.slug ?? '',
        fields: 'id',
      });
      ensure(body.markets.length > 0, 'the event has no markets');
      return `${event?.slug}, ${body.markets.length} markets`;
    },
  },
  {
    name: 'query: what has changed',
    run: async (deployment) => {
      const { response } = await deployment.firstPage();
      const since = linkOf(response, 'first')?.searchParams.get('snapshot') ?? '';
      const { body } = await deployment.get<FromSchemaNamed<'Changes'>>('list-market-changes', { since });
      ensure(body.from === since, `asked about ${since}, told about ${body.from}`);
      return `${body.added.length} added, ${body.changed.length} changed, ${body.removed.length} removed`;
    },
  },
]);
