import { describe, expect, it } from '@jest/globals';
import { event, priceHistory } from '../../../../lambda/mcp/tool-results.ts';

it('an event for a model counts all its markets, also where the response has been cut', () => {
  const headers = { 'Last-Modified': 'Sat, 21 Nov 2026 12:00:00 GMT', 'X-Total-Count': '900' };
  const body = JSON.stringify({ slug: 'large', markets: [{ id: '0x1' }] });
  expect(event({ status: 200, body, headers }, {}, Date.UTC(2026, 10, 21, 12, 1, 0))).toMatchObject({
    event: { slug: 'large' },
    total: 900,
    markets: [{ id: '0x1' }],
  });
});

describe('a price history for a model', () => {
  const NOW = Date.UTC(2026, 10, 21, 12, 1, 0);
  const body = JSON.stringify({ history: [{ t: NOW / 1_000 - 60, p: 0.4 }] });

  it('says when it is what the service itself remembers', () => {
    const response = { status: 200, body, headers: { 'X-Data-Source': 'memory' } };
    expect(priceHistory(response, {}, NOW)).toEqual({
      asOf: '2026-11-21T12:00:00.000Z',
      ageSeconds: 60,
      source: 'memory',
      points: [['2026-11-21T12:00:00Z', 0.4]],
    });
  });

  it('says nothing of its source when it is upstream', () => {
    expect(priceHistory({ status: 200, body, headers: {} }, {}, NOW)).not.toHaveProperty('source');
  });
});
