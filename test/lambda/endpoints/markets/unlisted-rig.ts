// The look-up of a market that is not in the list, over stubs of the upstreams that it reads: Gamma
// has the market, CLOB the order book of an open one, and the Data API the resolution of a closed
// one.

import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SCHEMAS } from '../../../../lambda/core/contract/schemas.ts';
import { unlistedMarkets } from '../../../../lambda/endpoints/markets/single-market.ts';
import { type Reply, type StubUpstream, send } from '../../../support/stub-upstream.ts';
import { liveRig } from '../../../support/upstream-rig.ts';

/** The names of the market that `gammaRecord()` makes. */
export const ID = `0x${'ab'.repeat(32)}`;
export const TOKEN = '111';
export const SLUG = 'will-it-rain-in-zurich';

/** Fields of a closed record of Gamma. */
export const CLOSED = { closed: true, closedTime: '2026-11-20 10:00:00+00' };

export interface Upstreams {
  /** The open markets of Gamma, or the reply of a Gamma that fails. @default none */
  readonly open?: readonly unknown[] | Reply;
  /** The same for closed markets. @default none */
  readonly closed?: readonly unknown[] | Reply;
  /** The order book of CLOB. @default 404 */
  readonly book?: Reply;
  /** The resolution of the Data API. @default a row that only has the id */
  readonly resolution?: Reply;
}

/** A reply of the Data API with the market's resolution. Payouts are in millionths of a dollar. */
export const resolutionRow = (fields: Readonly<Record<string, unknown>>): Reply =>
  send({ data: [{ condition_id: ID, ...fields }] });

/**
 * Makes the look-up and its upstreams. For example:
 *
 *     const { market, called } = unlistedRig(stub, { open: [gammaRecord()] });
 *     expect(await market('UnlistedMarket')).toMatchObject({ status: 'active' });
 *     expect(called('/book')).toEqual(['/book?token_id=111']);
 */
export function unlistedRig(
  stub: StubUpstream,
  {
    open = [],
    closed = [],
    book = send({ error: 'No orderbook' }, 404),
    resolution = resolutionRow({}),
  }: Upstreams,
) {
  const gammaReply = (markets: readonly unknown[] | Reply) =>
    typeof markets === 'function' ? markets : send({ markets });
  stub.reply((response, request) => {
    const { pathname, searchParams } = new URL(request.url, stub.url);
    const routes: Readonly<Record<string, Reply>> = {
      '/markets/keyset': gammaReply(searchParams.get('closed') === 'true' ? closed : open),
      '/book': book,
      '/v2/resolutions': resolution,
    };
    routes[pathname]?.(response, request);
  });
  const deps = liveRig(stub.url);
  const find = unlistedMarkets(deps);
  const get = async (name = SLUG) => await find(name, {});
  /** The market in the response. Expects that it matches this schema of the API document. */
  const market = async (schema: 'UnlistedMarket' | 'ResolvedMarket', name?: string) => {
    const found: Record<string, unknown> = JSON.parse((await get(name)).body);
    const validate = ajv.getSchema(`api#/components/schemas/${schema}`);
    expect(validate?.(found)).toBe(true);
    expect(validate?.errors).toBeNull();
    return found;
  };
  /** The paths of the calls to a route of upstream. */
  const called = (path: string) => stub.urls.filter((url) => url.startsWith(path));
  return { clock: deps.clock, get, market, called };
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'api', components: { schemas: SCHEMAS } });
