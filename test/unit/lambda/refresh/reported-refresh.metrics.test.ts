import { describe, expect, it } from '@jest/globals';
import { sleep } from '../../../../lambda/platform/clock.ts';
import type { SnapshotPublisher } from '../../../../lambda/refresh/ports.ts';
import { catalogueMarket, UNPRICED } from '../../../support/catalogue-market.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';
import { fakePrices, listable, pagedCatalogue } from './fake-upstreams.ts';
import { failing, memoryOf, PREVIOUS_AGE_SECONDS, reportedRun } from './reported-run.ts';

/** A store that writes for a second and a half. */
function slowStore(outcome: 'published' | 'superseded' = 'published') {
  const deadlines: number[] = [];
  const publish: SnapshotPublisher['publish'] = async (_, deadline) => {
    deadlines.push(deadline);
    await sleep(test.clock, 1_500);
    return { outcome, bytes: 7, chunks: 2 };
  };
  const test = reportedRun({ publish }, PREVIOUS_AGE_SECONDS, {
    maxMarkets: 10,
    memory: memoryOf(),
    catalogue: {
      ...pagedCatalogue([]),
      page: async () => ({
        records: [
          ...Array.from({ length: 10 }, (_, n) => listable(catalogueMarket(n))),
          { kind: 'skipped', reason: 'question' } as const,
        ],
        ageSeconds: 20,
      }),
    },
  });
  return { ...test, deadlines };
}

/** Each snapshot of the store has ten markets. */
function knowing(publisher: Partial<SnapshotPublisher>, options: Parameters<typeof reportedRun>[2] = {}) {
  const test: ReturnType<typeof reportedRun> = reportedRun(
    {
      newest: async () => ({
        published: test.previous,
        entries: Array.from({ length: 10 }, (_, n) => snapshotEntry(n)),
      }),
      ...publisher,
    },
    PREVIOUS_AGE_SECONDS,
    options,
  );
  return test;
}

const superseding = async () => ({ outcome: 'superseded', bytes: 1, chunks: 1 }) as const;
const down = { page: () => Promise.reject(new Error('down')), find: async () => [] };

describe('a full run', () => {
  it('that publishes measures its time, its markets and its snapshot', async () => {
    const { run, metrics, clock, deadlines } = slowStore();
    const started = clock.now();
    await run();
    expect(Object.fromEntries(metrics)).toEqual({
      RefreshPublished: 1,
      RefreshDuration: 1_500,
      MarketsListed: 10,
      MarketsSkipped: 1,
      MarketsCataloguePriced: 0,
      CatalogueAge: 20,
      OwnOneDayChanges: 50,
      OneDayChangeCoverage: 100,
      PublishLatency: 1_500,
      SnapshotBytes: 7,
      SnapshotAge: 1.5,
    });
    // A second is kept for the metrics and the log line.
    expect(deadlines).toEqual([started + 99_000]);
  });

  it('that publishes tells what it counted', async () => {
    const { run, lines } = slowStore();
    await run();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      message: 'Snapshot published',
      fields: {
        kind: 'full',
        outcome: 'published',
        durationMs: 1_500,
        publishMs: 1_500,
        bytes: 7,
        chunks: 2,
        markets: 10,
        pages: 1,
        skipped: 1,
        skippedBecauseOf: { question: 1 },
      },
    });
    expect(lines[0]?.fields).not.toHaveProperty('report');
  });

  it('that comes after a newer snapshot measures no snapshot of its own', async () => {
    const { run, lines, metrics } = slowStore('superseded');
    await run();
    expect(metrics.get('RefreshSuperseded')).toBe(1);
    expect(metrics.has('SnapshotBytes')).toBe(false);
    expect(metrics.has('PublishLatency')).toBe(false);
    expect(lines).toMatchObject([{ level: 'info', message: 'Snapshot superseded by a newer one' }]);
  });

  it('that finds too few markets warns of it', async () => {
    const { run, lines, metrics } = reportedRun({}, PREVIOUS_AGE_SECONDS, { markets: 50 });
    await run();
    expect(metrics.get('RefreshShrunk')).toBe(1);
    expect(lines).toMatchObject([
      { level: 'warn', message: 'Too few markets to believe in: not published', fields: { kind: 'full' } },
    ]);
  });

  it('that publishes prices alone measures these as the newest snapshot', async () => {
    const { run, logged, metrics } = knowing({}, { markets: 50, catalogue: pagedCatalogue([[]]) });
    await run().catch(() => undefined);
    expect(logged()).toEqual(['Snapshot published', 'Refresh failed']);
    expect(metrics.get('PricesPublished')).toBe(1);
    expect(metrics.get('PublishLatency')).toBe(0);
    expect(metrics.get('SnapshotAge')).toBe(0);
  });

  it('that fails tells why and how long it took', async () => {
    const page = async () => {
      await sleep(test.clock, 2_000);
      throw new Error('down');
    };
    const test = reportedRun({}, PREVIOUS_AGE_SECONDS, { catalogue: { ...down, page } });
    await expect(test.run()).rejects.toThrow('down');
    expect(Object.fromEntries(test.metrics)).toMatchObject({ RefreshFailed: 1, RefreshDuration: 2_000 });
    expect(test.metrics.has('PricesFailed')).toBe(false);
    expect(test.lines).toEqual([
      {
        level: 'error',
        message: 'Refresh failed',
        fields: { kind: 'full', error: new Error('down'), durationMs: 2_000 },
      },
    ]);
  });

  it('that fails tells why prices alone failed, too', async () => {
    const midpoints = () => Promise.reject(new Error('no prices'));
    const { run, lines } = knowing({}, { catalogue: down, prices: fakePrices({ midpoints }) });
    await expect(run()).rejects.toThrow('down');
    expect(lines).toMatchObject([
      {
        level: 'warn',
        message: 'The prices could not be read anew either',
        fields: { error: new Error('Not all prices could be read: 1 of 1 calls for midpoints failed') },
      },
      { level: 'error', message: 'Refresh failed', fields: { error: new Error('down') } },
    ]);
  });

  it('without any market that has a price has no shares to measure', async () => {
    const { run, metrics } = reportedRun({}, PREVIOUS_AGE_SECONDS, {
      markets: 0,
      catalogue: pagedCatalogue([[listable(catalogueMarket(1, UNPRICED))]]),
      prices: fakePrices({ midpoints: async () => new Map() }),
    });
    await run();
    expect(metrics.get('MarketsListed')).toBe(0);
    expect(metrics.has('OwnOneDayChanges')).toBe(false);
    expect(metrics.has('OneDayChangeCoverage')).toBe(false);
  });

  it('tells its progress every five hundred markets', async () => {
    const page = (n: number) => Array.from({ length: 99 }, (_, k) => listable(catalogueMarket(100 * n + k)));
    const catalogue = pagedCatalogue(Array.from({ length: 12 }, (_, n) => page(n)));
    const { run, lines } = reportedRun({}, PREVIOUS_AGE_SECONDS, { catalogue, maxMarkets: 2_000 });
    await run();
    const progress = lines.filter(({ message }) => message === 'Refresh progress');
    expect(progress.map(({ fields }) => fields)).toEqual([{ markets: 594 }, { markets: 1_188 }]);
    const exact = reportedRun({}, PREVIOUS_AGE_SECONDS, {
      catalogue: pagedCatalogue([Array.from({ length: 500 }, (_, n) => listable(catalogueMarket(n)))]),
      maxMarkets: 500,
    });
    await exact.run();
    expect(exact.lines[0]?.fields).toEqual({ markets: 500 });
  });
});

describe('a price run', () => {
  it('measures its prices, and nothing of a full run', async () => {
    const publish: SnapshotPublisher['publish'] = async () => {
      await sleep(test.clock, 400);
      return { outcome: 'published', bytes: 7, chunks: 1 };
    };
    const test = knowing({ publish });
    await test.run('prices');
    expect(Object.fromEntries(test.metrics)).toEqual({
      PricesPublished: 1,
      PublishLatency: 400,
      SnapshotAge: 0.4,
    });
    expect(test.lines).toMatchObject([{ message: 'Snapshot published', fields: { kind: 'prices' } }]);
  });

  it('that comes after a newer snapshot measures the age of that one', async () => {
    const { run, metrics } = knowing({ publish: superseding });
    await run('prices');
    expect(Object.fromEntries(metrics)).toEqual({ SnapshotAge: PREVIOUS_AGE_SECONDS });
  });

  it('that fails counts as failed prices', async () => {
    const { run, metrics, lines } = knowing({ publish: failing });
    await expect(run('prices')).rejects.toThrow('DynamoDB is not there');
    expect(Object.fromEntries(metrics)).toEqual({ PricesFailed: 1, SnapshotAge: PREVIOUS_AGE_SECONDS });
    expect(lines).toMatchObject([{ level: 'error', message: 'Refresh failed', fields: { kind: 'prices' } }]);
  });
});
