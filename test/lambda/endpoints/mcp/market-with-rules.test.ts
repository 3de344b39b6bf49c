import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import { withRules } from '../../../../lambda/endpoints/mcp/market-with-rules.ts';
import type { Endpoint } from '../../../../lambda/http/endpoint.ts';

const RULES = {
  description: 'Yes if it rains.',
  resolutionSource: null,
  readAt: '2026-11-21T12:00:00.000Z',
};
/** The two endpoints that the tool joins: the market with an id only, and its rules. */
const market = async () => ({ status: 200, headers: { ETag: 'x' }, body: '{"id":"0x1"}' });
const rules: Endpoint<'get-market-rules'> = ({ parameters: { id } }) => ({
  status: 200,
  headers: {},
  body: JSON.stringify({ id, question: 'Rain?', ...RULES }),
});
const request = { parameters: { id: 'rain' }, sent: {}, headers: {}, path: '' };

describe('a market for agents', () => {
  it('has its rules, without what the market says itself', async () => {
    const { body, ...response } = await withRules(market, rules)(request);
    expect(response).toEqual({ status: 200, headers: { ETag: 'x' } });
    expect(JSON.parse(body)).toEqual({ id: '0x1', rules: RULES });
  });

  it('is there without its rules while Gamma fails', async () => {
    const failing = () => Promise.reject(new ServiceError('upstream_unavailable', 'No.'));
    expect(JSON.parse((await withRules(market, failing)(request)).body)).toEqual({
      id: '0x1',
      rules: null,
    });
  });

  it('that is unknown stays an error, as does an unexpected one of the rules', async () => {
    const unknown = new ServiceError('no_market', 'No market.');
    await expect(withRules(() => Promise.reject(unknown), rules)(request)).rejects.toBe(unknown);
    const bug = new TypeError('bug');
    await expect(withRules(market, () => Promise.reject(bug))(request)).rejects.toBe(bug);
  });
});
