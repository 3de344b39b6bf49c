// The tool get_market returns a market together with its resolution rules. The API has an endpoint
// for each; `withRules` joins the two responses.

import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { withRules } from '../../../../lambda/endpoints/mcp/market-with-rules.ts';
import type { Endpoint } from '../../../../lambda/http/endpoint.ts';

const RULES = {
  description: 'Yes if it rains.',
  resolutionSource: null,
  readAt: '2026-11-21T12:00:00.000Z',
};
/** The endpoint of the market, which here has an id only. */
const market = async () => ({ status: 200, headers: { ETag: 'x' }, body: '{"id":"0x1"}' });
/** The endpoint of the rules, which also names the market. */
const rules: Endpoint<'get-market-rules'> = ({ parameters: { id } }) => ({
  status: 200,
  headers: {},
  body: JSON.stringify({ id, question: 'Rain?', ...RULES }),
});
const request = { parameters: { id: 'rain' }, sent: {}, headers: {}, path: '' };

describe('a market for agents', () => {
  it('has its rules, without their id and question, which the market has itself', async () => {
    const { body, ...response } = await withRules(market, rules)(request);
    expect(response).toEqual({ status: 200, headers: { ETag: 'x' } });
    expect(JSON.parse(body)).toEqual({ id: '0x1', rules: RULES });
  });

  it('has null for its rules while Gamma, which has them, fails', async () => {
    const failing = () => Promise.reject(new ServiceError('upstream_unavailable', 'No.'));
    expect(JSON.parse((await withRules(market, failing)(request)).body)).toEqual({
      id: '0x1',
      rules: null,
    });
  });

  it('is an error if the market is unknown, or its rules fail unexpectedly', async () => {
    const unknown = new ServiceError('no_market', 'No market.');
    await expect(withRules(() => Promise.reject(unknown), rules)(request)).rejects.toBe(unknown);
    const bug = new TypeError('bug');
    await expect(withRules(market, () => Promise.reject(bug))(request)).rejects.toBe(bug);
  });
});
