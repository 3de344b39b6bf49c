import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { snapshotEntry } from '../support/snapshot-entry.ts';
import { TestService } from './support/test-service.ts';

const MARKETS = 900;
/** A question of 9 KB, so that neither the event nor what has changed is a response that Lambda hands on. */
const LARGE = Array.from({ length: MARKETS }, (_, n) => {
  const { market, facets } = snapshotEntry(n, { question: `${n} ${'long '.repeat(1_800)}` });
  return { market, facets: { ...facets, eventSlug: 'large' } };
});

let service: TestService;
let before: string;
beforeAll(async () => {
  service = await TestService.start({ environment: { REQUESTS_PER_MINUTE: 'off' } });
  before = await service.publish([snapshotEntry(MARKETS)], 60);
  await service.publish(LARGE);
}, 120_000);
afterAll(() => service?.close());

describe('what is too large for one response', () => {
  it('of changes is 410: the caller starts again from the list', async () => {
    const { status, json } = await service.call(`/api/markets/changes?since=${before}`);
    expect([status, json.code]).toEqual([410, 'snapshot_gone']);
  });

  it.each(['/api/events/large', '/api/events/large?fields=all'])(
    'of an event is linked: %s',
    async (path) => {
      const seen: { id: string }[] = [];
      for (let next: string | undefined = path; next; ) {
        const { status, headers, json } = await service.call(next);
        expect(status).toBe(200);
        expect(headers.get('x-total-count')).toBe(String(MARKETS));
        seen.push(...(json.markets ?? json));
        next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
      }
      expect(seen).toHaveLength(MARKETS);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(MARKETS);
    },
  );
});
