import { createHash } from 'node:crypto';
import { compareDecimals } from '../../domain/decimal.ts';
import { asList, asNumber, asObject, asPrice, asText } from '../../polymarket/json-values.ts';
import { type Fact, finding } from '../fact.ts';
import { wordsOf } from '../probe.ts';

const DAY = 86_400;
const UNKNOWN_TOKEN = '1';
/** Books move between two calls: so far a midpoint may lie from the one that the book shows. */
const MIDPOINT_TOLERANCE = 0.02;

/** What books and prices have to be like. */
export const CLOB_FACTS: readonly Fact[] = [
  {
    upstream: 'clob',
    fact: 'gives the book of a token',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'order books are 502',
    look: async (visit) => {
      const response = await visit.book();
      const book = asObject(response.body);
      const { yesTokenId } = await visit.market();
      const [bids, asks] = [asList(book?.bids), asList(book?.asks)];
      if (response.status !== 200 || !bids || !asks) return finding(false, wordsOf(response));
      return finding(
        book?.asset_id === yesTokenId,
        `${bids.length} bids, ${asks.length} asks, ${response.ms} ms`,
      );
    },
  },
  {
    upstream: 'clob',
    fact: 'the best level of each side is the last',
    grade: 'A',
    severity: 'note',
    otherwise: 'nothing: the service sorts; upstream-shaped books would be turned',
    look: async (visit) => {
      const book = asObject((await visit.sample(() => visit.book())).body);
      const side = (name: string) =>
        (asList(book?.[name]) ?? []).map((level) => String(asObject(level)?.price));
      const ascends = (prices: readonly string[]) =>
        prices.every((price, n) => n === 0 || compareDecimals(prices[n - 1] ?? '0', price) <= 0);
      const [bids, asks] = [side('bids'), side('asks')];
      return finding(
        ascends(bids) && ascends(asks.toReversed()),
        `best bid ${bids.at(-1)}, best ask ${asks.at(-1)}`,
      );
    },
  },
  {
    upstream: 'clob',
    fact: "a book's hash is the SHA-1 of its JSON",
    grade: 'A',
    severity: 'note',
    otherwise: 'clients that verify the hash refuse the book',
    look: async (visit) => {
      const book = asObject((await visit.sample(() => visit.book())).body);
      const hash = createHash('sha1')
        .update(JSON.stringify({ ...book, hash: '' }))
        .digest('hex');
      return finding(
        book?.hash === hash,
        book?.hash === hash ? 'verified' : `${String(book?.hash)}, computed ${hash}`,
      );
    },
  },
  {
    upstream: 'clob',
    fact: 'an unknown token is a 404 in JSON',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'unknown tokens are 502 rather than 404',
    look: async (visit) => {
      const response = await visit.probe.get('clob', `/book?token_id=${UNKNOWN_TOKEN}`);
      return finding(response.status === 404 && response.body !== undefined, wordsOf(response));
    },
  },
  {
    upstream: 'clob',
    fact: 'gives the books of several tokens',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'several order books in one request are 502',
    look: async (visit) => {
      const { outcomes } = await visit.market();
      const response = await visit.probe.post(
        'clob',
        '/books',
        outcomes.map(({ tokenId }) => ({ token_id: tokenId })),
      );
      const books = asList(response.body);
      return finding(books?.length === outcomes.length, books ? `${books.length} books` : wordsOf(response));
    },
  },
  {
    upstream: 'clob',
    fact: 'gives the midpoints of a page of tokens',
    grade: 'A',
    severity: 'stops',
    otherwise: 'prices are the catalogue’s, up to five minutes old',
    look: async (visit) => {
      const tokens = (await visit.markets()).map(({ yesTokenId }) => yesTokenId);
      const response = await visit.probe.post(
        'clob',
        '/midpoints',
        tokens.map((token) => ({ token_id: token })),
      );
      const prices = asObject(response.body);
      const found = tokens.filter((token) => asPrice(prices?.[token]) !== undefined).length;
      return finding(
        found > tokens.length / 2,
        prices ? `${found} of ${tokens.length}, ${response.ms} ms` : wordsOf(response),
      );
    },
  },
  {
    upstream: 'clob',
    fact: 'a midpoint is halfway between bid and ask',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'probabilities mean something else than they say',
    look: async (visit) => {
      const { yesTokenId } = await visit.market();
      const book = asObject((await visit.sample(() => visit.book())).body);
      const prices = (name: string) =>
        (asList(book?.[name]) ?? []).map((level) => asNumber(asObject(level)?.price) ?? 0);
      const [bid, ask] = [Math.max(0, ...prices('bids')), Math.min(1, ...prices('asks'))];
      const response = await visit.probe.post('clob', '/midpoints', [{ token_id: yesTokenId }]);
      const midpoint = asPrice(asObject(response.body)?.[yesTokenId]);
      const near = midpoint !== undefined && Math.abs(midpoint - (bid + ask) / 2) <= MIDPOINT_TOLERANCE;
      return finding(near, `${midpoint} between ${bid} and ${ask}`);
    },
  },
  {
    upstream: 'clob',
    fact: 'gives the history of a token',
    grade: 'B',
    severity: 'degrades',
    otherwise: 'histories come from the batch route or the Data API',
    look: async (visit) => {
      const response = await visit.week();
      const points = asList(asObject(response.body)?.history);
      if (response.status !== 200 || !points) return finding(false, wordsOf(response));
      const readable = points.filter((point) => {
        const { t, p } = asObject(point) ?? {};
        return asNumber(t) !== undefined && asPrice(p) !== undefined;
      });
      return finding(
        readable.length === points.length && points.length > 0,
        `${points.length} points, ${response.ms} ms`,
      );
    },
  },
  {
    upstream: 'clob',
    fact: 'gives the histories of twenty tokens',
    grade: 'B',
    severity: 'degrades',
    otherwise: 'changes are read one token at a time: a first run takes longer',
    look: async (visit) => {
      const tokens = (await visit.markets()).slice(0, 20).map(({ yesTokenId }) => yesTokenId);
      const now = Math.floor(visit.probe.clock.now() / 1_000);
      const response = await visit.probe.post('clob', '/batch-prices-history', {
        markets: tokens,
        start_ts: now - 2 * DAY,
        end_ts: now - DAY,
        fidelity: 60,
      });
      const histories = asObject(asObject(response.body)?.history);
      if (!histories) return finding(false, wordsOf(response));
      const found = tokens.filter((token) => (asList(histories[token])?.length ?? 0) > 0).length;
      return finding(found > 0, `${found} of ${tokens.length}, ${response.ms} ms`);
    },
  },
  {
    upstream: 'clob',
    fact: 'a window of 15 days is allowed, and no longer one',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'three months of history come from the Data API',
    look: async (visit) => {
      const { yesTokenId } = await visit.market();
      const now = Math.floor(visit.probe.clock.now() / 1_000);
      const ask = (days: number) =>
        visit.probe.get(
          'clob',
          `/prices-history?market=${yesTokenId}&startTs=${now - days * DAY}&endTs=${now}&fidelity=60`,
        );
      const [allowed, refused] = [await ask(15), await ask(16)];
      return finding(
        allowed.status === 200 && refused.status === 400,
        `15 days ${allowed.status}, 16 days ${refused.status}`,
      );
    },
  },
  {
    upstream: 'clob',
    fact: '1m is one month, and there is no 3m',
    grade: 'A',
    severity: 'note',
    otherwise: 'three months could be one call',
    look: async (visit) => {
      const { yesTokenId } = await visit.market();
      const response = await visit.probe.get(
        'clob',
        `/prices-history?market=${yesTokenId}&interval=3m&fidelity=60`,
      );
      return finding(response.status === 400, wordsOf(response));
    },
  },
  {
    upstream: 'clob',
    fact: 'a fidelity below its floor is refused',
    grade: 'A',
    severity: 'note',
    otherwise: 'finer histories could be served',
    look: async (visit) => {
      const { yesTokenId } = await visit.market();
      const response = await visit.probe.get(
        'clob',
        `/prices-history?market=${yesTokenId}&interval=1m&fidelity=1`,
      );
      return finding(response.status === 400, wordsOf(response));
    },
  },
  {
    upstream: 'clob',
    fact: 'an unknown token has an empty history',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'an unknown token is 502 rather than an empty history',
    look: async (visit) => {
      const path = `/prices-history?market=${UNKNOWN_TOKEN}&interval=1d&fidelity=60`;
      const response = await visit.probe.get('clob', path);
      const points = asList(asObject(response.body)?.history);
      return finding(response.status === 200 && points?.length === 0, wordsOf(response));
    },
  },
  {
    upstream: 'clob',
    fact: 'tells a tick size between 0.0001 and 0.1',
    grade: 'A',
    severity: 'note',
    otherwise: 'prices may need more decimals than the service gives',
    look: async (visit) => {
      const book = asObject((await visit.sample(() => visit.book())).body);
      const tick = asNumber(asText(book?.tick_size));
      return finding(tick !== undefined && tick >= 0.0001 && tick <= 0.1, String(book?.tick_size));
    },
  },
];
