import { describe, expect, it } from '@jest/globals';
import { UpstreamError } from '../../../../lambda/http-client/upstream-error.ts';
import { failing, memoryOf, PREVIOUS_AGE_SECONDS, reportedRun } from './reported-run.ts';

describe('a memory of prices that fails', () => {
  it.each([
    ['in nothing', undefined, {}],
    ['when it is read', 1, { open: async () => 1 }],
    ['when it is written', 1, { keep: async () => false }],
  ] as const)('%s is counted: %s', async (_, counted, overrides) => {
    const { run, metrics } = reportedRun({}, PREVIOUS_AGE_SECONDS, { memory: memoryOf(overrides) });
    await run();
    expect(metrics.get('PriceMemoryFailed')).toBe(counted);
  });
});

describe('the end of a run', () => {
  const error = new UpstreamError({ route: 'history', failure: 'network' });

  it('tells of the calls of each upstream, of one on standby when it was asked', async () => {
    const { run, counters, upstreams } = reportedRun();
    counters.gamma.called();
    await run();
    expect(upstreams.map(([name]) => name)).toEqual(['gamma', 'clob']);
    expect(upstreams[0]?.[1]).toMatchObject({ UpstreamCalls: 1 });
    counters.data.called();
    await run();
    expect(upstreams.slice(2).map(([name]) => name)).toEqual(['gamma', 'clob', 'data']);
    counters.data.failed(error);
    await run();
    expect(upstreams.slice(5).map(([name]) => name)).toEqual(['gamma', 'clob', 'data']);
  });

  it.each([
    ['published', {}],
    ['failed', { publish: failing }],
  ])('writes the metrics once, all of them, when it has %s', async (_, publisher) => {
    const { run, metrics, flushed, counters, clock } = reportedRun(publisher);
    counters.clob.responded(new Headers({ date: new Date(clock.now()).toUTCString() }), clock.now());
    await run().catch(() => undefined);
    expect(metrics.size).toBeGreaterThan(2);
    expect(flushed).toEqual([[...metrics.keys()]]);
  });

  it('tells by how much the clock differs, and has 0.7 s to look at the newest snapshot', async () => {
    const looked: number[] = [];
    const { run, counters, lines, clock } = reportedRun({
      latest: async (deadline) => {
        looked.push(deadline - clock.now());
        throw new Error('slow');
      },
    });
    counters.clob.responded(new Headers({ date: new Date(clock.now()).toUTCString() }), clock.now() + 6_000);
    await expect(run()).rejects.toThrow('slow');
    expect(looked.at(-1)).toBe(700);
    expect(lines.slice(1)).toEqual([
      {
        level: 'warn',
        message: 'The age of the newest snapshot cannot be read',
        fields: { error: new Error('slow') },
      },
      { level: 'warn', message: 'The clock differs from the upstream clock', fields: { skewMs: 6_000 } },
    ]);
  });
});
