import { expect, it } from '@jest/globals';
import { MAX_RESPONSE_BYTES } from '../../../../lambda/contract/constants.ts';
import type { MarketRecord } from '../../../../lambda/domain/market.ts';
import { listMarketChanges } from '../../../../lambda/endpoints/list-market-changes.ts';
import { listVersion } from '../../../../lambda/query/changes.ts';
import { marketRecord } from '../../../support/market-record.ts';
import { manifestOf } from './manifest.ts';

const asOf = Date.parse('2026-11-21T12:00:00Z');

/** Asks what has changed from a list without markets to one with these. */
async function changesTo(markets: readonly MarketRecord[]) {
  const endpoint = listMarketChanges({
    cache: {
      latest: async () => ({ manifest: manifestOf('new', asOf), view: listVersion(markets) }),
      byId: async () => ({ manifest: manifestOf('old', asOf - 120_000), view: listVersion([]) }),
    },
    rule: { freshSeconds: 120, staleIfErrorSeconds: 0 },
    now: () => asOf,
    edgeCache: false,
  });
  return await endpoint({ parameters: { since: 'old' }, sent: {}, headers: {}, path: '' });
}

it('is as long as Lambda lets it be, and beyond that the caller starts again from the list', async () => {
  const withQuestion = (characters: number) => [marketRecord(0, { question: '"'.repeat(characters) })];
  const { body } = await changesTo(withQuestion(0));
  // A quote is \\\" in the payload of the function: JSON inside of JSON.
  const room = Math.floor((MAX_RESPONSE_BYTES - Buffer.byteLength(JSON.stringify(body))) / 4);
  const largest = await changesTo(withQuestion(room));
  expect(largest.status).toBe(200);
  expect(Buffer.byteLength(JSON.stringify(largest.body))).toBeGreaterThan(MAX_RESPONSE_BYTES - 4);
  const status = changesTo(withQuestion(room + 1)).then((response) => response.status);
  await expect(status).rejects.toMatchObject({
    code: 'snapshot_gone',
    message: expect.stringContaining('start again from the list'),
  });
});
