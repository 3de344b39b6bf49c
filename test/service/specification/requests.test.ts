import { describe, expect } from '@jest/globals';
import { clock, type Row, startTestService, type TestResponse } from '../support.ts';
import { expectSentences, sentence, shownBy } from './sentences.ts';
import { bookOf, codeOf, type History, service, token, upstream, upstreamNow, withTime } from './service.ts';

const MINUTE_MS = 60_000;
clock.stopped = Date.now();

const historyOf = async (query: string) =>
  ((await service.get(`/api/clob/prices-history?token_id=${token}${query}`)).json as History).history;
const search = (q: string, rest = '') => service.get(`/api/markets/search?q=${encodeURIComponent(q)}${rest}`);
const rowsOf = ({ json }: TestResponse) => json as readonly Row[];

describe('the search', () => {
  shownBy('23. "Length 2 to 200 characters."', [
    'lambda/app/http/parse-parameters.test.ts',
    'texts and lists within their lengths, in characters',
  ]);

  sentence('24. "The characters `& = ? # %` are stripped before matching. Matching is case-insensitive."', async () => {
    const plain = rowsOf(await search('bitcoin'));
    expect(plain.length).toBeGreaterThan(0);
    expect(rowsOf(await search('bit&co=in?#%'))).toEqual(plain);
    expect(rowsOf(await search('BitCoin'))).toEqual(plain);
  });

  sentence('25. "Maximum number of results; capped at 50."', async () => {
    const lengths = [rowsOf(await search('sports')), rowsOf(await search('sports', '&limit=51'))].map(
      (rows) => rows.length,
    );
    expect(lengths).toEqual([20, 50]);
  });

  shownBy(
    '26. "The engine first checks the query against known category keywords: election, crypto, sports, economics, tech."',
    ['lambda/core/search/search-index.test.ts', '%j finds all its markets, those with the other words first'],
  );

  shownBy(
    '27. "If no category applies, it falls back to a word-level text search of the question."',
    ['lambda/core/search/search-index.test.ts', 'for %j finds %j'],
    [
      'lambda/core/search/search-index.test.ts',
      'puts the question before the event title, the short name and the slug, also where they are rarer',
    ],
  );
});

describe('order books and price histories', () => {
  sentence(
    '28. "Returns the live order book for one market token, the YES or NO outcome token of a market."',
    async () => {
      const { outcomes } = (await service.get(`/api/markets/${token}`)).json as { outcomes: { tokenId: string }[] };
      for (const { tokenId } of outcomes) expect(await bookOf(tokenId)).toMatchObject({ asset_id: tokenId });
    },
  );

  shownBy(
    '29. "List of entries, descending order (best bid first)." "List of entries, ascending order." "The list holds the top bids and asks."',
    ['lambda/app/order-books/order-books.test.ts', 'is the one of upstream with the best prices first'],
    ['lambda/app/order-books/order-books.test.ts', 'is cut to a depth, and read once for all depths'],
  );

  shownBy('30. "string holding a decimal probability in 0 to 1 (0.43 means 43%)" "shares available"', [
    'lambda/core/domain/order-book.test.ts',
    'are compared as numbers, and keep their spelling',
  ]);

  sentence('31. "Returns the historical price series for one market token."', async () => {
    const history = await historyOf('&interval=1d');
    const window = `startTs=${history[0]?.t}&endTs=${history.at(-1)?.t}`;
    const { history: theirs } = (await upstream(
      `/prices-history?market=${token}&${window}&fidelity=1`,
    )) as never as History;
    expect(history.length).toBeGreaterThan(1_000);
    const prices = new Map(theirs.map(({ t, p }) => [t, p]));
    for (const { t, p } of history.slice(0, 1_000)) expect([t, p]).toEqual([t, prices.get(t)]);
  });

  shownBy(
    '32. "One of `1d`, `1w`, `1m`, `3m`. Default `1d`."',
    ['lambda/core/domain/history-plan.test.ts', 'is one day by default'],
    ['lambda/core/domain/history-plan.test.ts', '%s at %p minutes has steps of %i minutes, from one call at %i'],
    [
      'lambda/core/domain/history-plan.test.ts',
      '3m at %p minutes has steps of %i minutes from one %s or more and begins a minute late',
    ],
  );
});

describe('limits and errors', () => {
  shownBy(
    '33. "60 requests per minute per IP"',
    ['service/rate-limit.test.ts', 'accepts exactly 60 of 1,000 simultaneous requests over all endpoints'],
    [
      'lambda/io/rate-limit/rate-limiter.test.ts',
      'is allowed as many requests as the limit, and then waits for the oldest to be 60 s old',
    ],
    ['lambda/app/http/pipeline-caller.test.ts', '%s by %s, from API Gateway or the front door'],
  );

  shownBy('34. "Response carries header `Retry-After: 60`."', [
    'service/rate-limit.test.ts',
    'counts refused methods and the tools of agents, and refuses with a 429 that says when to try again',
  ]);

  sentence('35. "Market endpoints: the upstream market API is unavailable."', () =>
    withTime(async () => {
      const other = await startTestService({ markets: 100, now: upstreamNow });
      const read = (path: string) => other.get(path);
      const [started, before] = [Date.now(), await other.newestId()];
      other.simulator.addFault({ route: 'gamma', kind: 'status', status: 503 });
      try {
        clock.ahead = 6 * MINUTE_MS;
        await other.refresh('prices');
        const { status, headers } = await read('/api/markets?limit=1');
        expect(headers.get('x-snapshot-id')).not.toBe(before);
        expect([status, Date.parse(headers.get('x-catalogue-as-of') ?? '') <= started]).toEqual([200, true]);
        expect((await read('/api/status')).json).toMatchObject({ status: 'degraded', reason: expect.any(String) });
        clock.ahead = 64 * MINUTE_MS;
        await expect(other.refresh('full', 3_000)).rejects.toThrow();
        for (const path of ['/api/markets', '/api/markets/search?q=tech'])
          expect(codeOf(await read(path))).toEqual([502, 'snapshot_stale']);
      } finally {
        await other.stop();
      }
    }),
  );

  sentence(
    '36. "Clob endpoints: the upstream order book API is unavailable."',
    () =>
      withTime(async () => {
        service.simulator.addFault({ route: '*', kind: 'status', status: 503 });
        for (const path of ['order-book', 'prices-history'])
          expect(codeOf(await service.get(`/api/clob/${path}?token_id=123${path.length}`))).toEqual([
            502,
            'upstream_unavailable',
          ]);
        service.simulator.clearFaults();
      }),
    ['lambda/io/polymarket/live-read.test.ts', 'says when to try again after a limit: %s'],
  );

  shownBy('37. "The response body has an `error` field."', [
    'lambda/app/http/pipeline.test.ts',
    'that %s has one form, whether it is thrown or rejected',
  ]);

  shownBy(
    '38. "Applies to POST requests only; maximum 20,000 characters."',
    ['lambda/app/http/pipeline.test.ts', 'with a body of %i characters get a %i'],
    ['lambda/app/http/pipeline.test.ts', 'rejects other methods and long bodies'],
  );
});

expectSentences(23, 38);
