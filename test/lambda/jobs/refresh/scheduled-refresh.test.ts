import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { MetricName } from '../../../../lambda/io/platform/metrics.ts';
import { UpstreamError } from '../../../../lambda/io/upstream/upstream-error.ts';
import { ScheduledRefresh } from '../../../../lambda/jobs/refresh/scheduled-refresh.ts';
import { delayed, ManualClock, whileTimePasses } from '../../../support/manual-clock.ts';
import { RefreshWorld } from './refresh-rig.ts';

// A schedule starts the runs of the refresher. `ScheduledRefresh` makes a run, and reports it: in a
// line of the log, in metrics and, if no snapshot is published, as the reason that `/api/status`
// shows.

type Line = { level: string; message: string } & Readonly<Record<string, unknown>>;

/** A refresher over 30 markets, with the lines of its log and the metrics of its latest run. */
function setup() {
  const clock = new ManualClock();
  const world = new RefreshWorld(clock);
  const lines: Line[] = [];
  /** The failure of the latest call to upstream, which a test can set. */
  const latest: { failure?: UpstreamError } = {};
  /** The metrics of the latest run, which become `written` when the run flushes them. */
  let metrics: Partial<Record<MetricName, number>> = {};
  let written = metrics;
  const log = (level: string) => (message: string, fields?: object) => {
    lines.push({ level, message, ...fields });
  };
  const refresh = new ScheduledRefresh({
    ...world.container(),
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    metrics: {
      add: (name, value) => {
        metrics[name] = value;
      },
      flush: () => {
        written = metrics;
      },
    },
    latestFailure: () => latest.failure,
  });
  const run = async (kind: 'full' | 'prices' = 'full') => {
    metrics = {};
    written = {};
    await whileTimePasses(clock, refresh.run(kind, 118_000));
  };
  return {
    clock,
    world,
    writer: world.writer,
    refresh,
    lines,
    run,
    latest,
    metrics: () => written,
  };
}

async function setupAfterRun(ms: number) {
  const all = setup();
  await all.run();
  await all.clock.advance(ms);
  return all;
}

const DOWN = new UpstreamError({ route: 'markets-keyset', failure: 'status', status: 503 });
const DOWN_REASON = 'The upstream does not respond as expected (markets-keyset: status 503).';
const upstreamDown = () => Promise.reject(DOWN);

describe('the report of a run', () => {
  it('is one log line and the metrics', async () => {
    const { lines, run, metrics, writer } = setup();
    await run();
    expect(metrics()).toEqual({});
    const publication = {
      outcome: 'published',
      id: writer.last?.id,
      markets: 30,
      withOneDayChange: 30,
    };
    const counts = { pages: 1, historyCallsFailed: 0 };
    const line = {
      level: 'info',
      message: 'Snapshot published',
      kind: 'full',
      ...publication,
      ...counts,
    };
    expect(lines).toMatchObject([line]);
  });

  it('has each field that the query of the runs shows', async () => {
    const { lines, run } = setup();
    await run();
    const queries = readFileSync('lib/monitoring/saved-queries.ts', 'utf8');
    // The fields after "display" in the query "refresh-runs" of CloudWatch. It adds the time.
    const [, columns = ''] = /id: 'refresh-runs'[\s\S]*?'display ([^']+)'/.exec(queries) ?? [];
    const line: Readonly<Record<string, unknown>> = {
      ...lines[0],
      '@timestamp': 0,
      'error.message': '',
      ...Object.fromEntries(
        Object.entries(lines[0]?.bySource ?? {}).map(([name, n]) => [`bySource.${name}`, n]),
      ),
    };
    expect(columns.split(', ').filter((name) => line[name] === undefined)).toEqual([]);
  });

  it('gives the share of unreadable records if it is above 5 %, in a full run', async () => {
    const { world, run, metrics } = setup();
    // Two of 20 open records are unreadable. Two others belong to new or unsuitable markets.
    const unreadable = ['ids_malformed', 'outcomes'] as const;
    const unsuitable = ['ids_pending', 'end_date'] as const;
    const skipped = [...unreadable, ...unsuitable].map(
      (reason) => ({ kind: 'skipped', reason }) as const,
    );
    world.shown = (records) => [...records.slice(0, 16), ...skipped, { kind: 'inactive' }];
    // A market without a price can be read, and counts once.
    const book = world.book;
    world.book = (token) => (token === world.markets[0]?.clobTokenId ? {} : book(token));
    await run();
    expect(metrics()).toMatchObject({ MissingMarkets: 10 });
    await run('prices');
    expect(metrics()).not.toHaveProperty('MissingMarkets');
    world.shown = (records) => [...records, { kind: 'skipped', reason: 'outcomes' }];
    await run();
    expect(metrics()).not.toHaveProperty('MissingMarkets');
  });

  it('gives the share in percent of the markets that the list lacks, in each run', async () => {
    const { world, run, metrics, lines, clock } = await setupAfterRun(60_000);
    world.shown = (records) =>
      records.map((record, n) =>
        n < 9 && record.id ? { kind: 'skipped', id: record.id, reason: 'ids_pending' } : record,
      );
    for (const kind of ['full', 'prices'] as const) {
      await run(kind);
      expect(metrics().MissingMarkets).toBe(30);
      expect(lines.at(-1)).toMatchObject({
        level: 'warn',
        missing: { markets: 9, expected: 30 },
      });
      await clock.advance(60_000);
    }
  });
});

describe('a run that fails', () => {
  it.each([
    {
      after: 'no failure',
      failure: undefined,
      sentence: 'The upstream responds slowly or not at all.',
    },
    { after: 'a failure', failure: DOWN, sentence: DOWN_REASON },
  ])('says so after 10 s while a first run waits for the upstream, after $after', async (row) => {
    const { clock, world, run, writer, latest } = setup();
    if (row.failure) latest.failure = row.failure;
    const since = clock.now();
    world.page = delayed(clock, upstreamDown, 20_000);
    await expect(run()).rejects.toThrow();
    expect(writer.failures).toMatchObject([
      { since, at: since + 10_000, reason: `The refresh is still running. ${row.sentence}` },
      { since, reason: DOWN_REASON },
    ]);
  });

  it('publishes the catalogue while CLOB fails, and counts as failed', async () => {
    const { world, writer, lines, run, metrics } = await setupAfterRun(120_000);
    world.sides = upstreamDown;
    await expect(run('prices')).rejects.toThrow('CLOB gave no price');
    expect(writer.failures).toEqual([]);
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'Refresh failed',
      outcome: 'published',
    });
    expect(metrics()).toEqual({ DegradedSnapshots: 1 });
  });

  it('stores the reason, and since when, while there is no snapshot', async () => {
    const { clock, world, run, writer } = setup();
    world.page = upstreamDown;
    await expect(run()).rejects.toThrow();
    const since = writer.failures[0]?.since ?? 0;
    expect(writer.failures[0]).toEqual({ since, at: since, reason: DOWN_REASON });
    await clock.advance(120_000);
    world.page = async () => ({ records: [], madeAt: 0 });
    await expect(run()).rejects.toThrow();
    expect(writer.failures[1]).toMatchObject({
      since,
      reason: 'The upstream lists no open market.',
    });
    expect(writer.failures[1]?.at).toBeGreaterThan(since + 119_000);
  });

  it('publishes nothing while the table does not respond', async () => {
    const { run, writer } = await setupAfterRun(60_000);
    const errors = ['The newest snapshot', 'The age at the end of the run'];
    writer.newest = async () => {
      throw new Error(errors.shift());
    };
    await expect(run()).rejects.toThrow('The newest snapshot');
    expect(writer.published).toHaveLength(1);
  });

  it('does not publish internals as the reason, and throws its own error when the reason cannot be stored', async () => {
    const { world, run, writer } = setup();
    world.page = async () => {
      throw new Error('arn:aws:iam::123456789012 is not authorised');
    };
    await expect(run()).rejects.toThrow('not authorised');
    expect(writer.failures[0]?.reason).toBe('The refresh failed with an internal error.');
    writer.recordFailure = async () => {
      throw new Error('the table');
    };
    await expect(run()).rejects.toThrow('not authorised');
  });
});

it('the time of a run leaves two seconds for its report', async () => {
  // A run has 118 s in AWS. The catalogue ends 5 s before the rest of the run.
  const { clock, world, run } = setup();
  const [page, started] = [world.page, clock.now()];
  let leftMs = 0;
  world.page = async (cursor, deadline) => {
    leftMs = deadline - started;
    return await page(cursor, deadline);
  };
  await run();
  expect(leftMs).toBe(118_000 - 2_000 - 5_000);
});

it('runs of one kind at the same time are one run', async () => {
  const { clock, world, writer, refresh } = setup();
  await whileTimePasses(
    clock,
    Promise.all([refresh.run('full', 118_000), refresh.run('full', 118_000)]),
  );
  expect(world.calls.filter((call) => call === 'page')).toHaveLength(1);
  expect(writer.published).toHaveLength(1);
  await clock.advance(60_000);
  await whileTimePasses(clock, refresh.run('full', 118_000));
  expect(writer.published).toHaveLength(2);
});
