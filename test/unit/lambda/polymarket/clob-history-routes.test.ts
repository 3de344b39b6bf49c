import { describe, expect, it } from '@jest/globals';
import type { Upstream } from '../../../../lambda/http-client/client.ts';
import { ClobBatchHistories } from '../../../../lambda/polymarket/clob-history-routes.ts';

/** An upstream whose only response is this body. */
function responding(body: unknown): Pick<Upstream, 'request'> {
  return { request: async (_route, _path, parse) => parse({ body, headers: new Headers() }) };
}

const SPAN = { kind: 'window', start: 1_000, end: 2_000, fidelity: 15 } as const;
const LIMITS = { deadline: 60_000, retries: 0 };
const POINT = { t: 1_500, p: 0.4 };

describe('the batch route', () => {
  const read = (history: unknown) =>
    new ClobBatchHistories(responding({ history }) as Upstream).read(['1', '2'], SPAN, LIMITS);

  it('leaves out what upstream does not know', async () => {
    expect(await read({ 2: [POINT] })).toEqual(
      new Map([
        ['1', []],
        ['2', [POINT]],
      ]),
    );
    expect((await read({})).get('1')).toEqual([]);
  });

  it.each([[{ 3: [POINT] }], [[]], ['{}'], [null], [{ 1: 'none', 2: [] }], [{ 1: [{ t: 'x' }] }]])(
    'refuses what is no response to what was asked: %j',
    async (history) => {
      await expect(read(history)).rejects.toMatchObject({ failure: 'wrong_shape' });
    },
  );
});
