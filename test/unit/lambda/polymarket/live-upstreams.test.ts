import { describe, expect, it } from '@jest/globals';
import type { Fetch } from '../../../../lambda/http-client/fetch.ts';
import type { Telemetry } from '../../../../lambda/platform/telemetry.ts';
import { liveUpstreams } from '../../../../lambda/polymarket/live-upstreams.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const URLS = { clob: 'http://clob.example', data: 'http://data.example' };

/** Live upstreams that respond with these statuses, by host; without one with 200. */
function rig(statuses: Readonly<Record<string, number>> = {}) {
  const clock = new ManualClock();
  const asked: string[] = [];
  const logged: unknown[] = [];
  const told: [upstream: string, values: object][] = [];
  const fetch: Fetch = async (url) => {
    asked.push(url);
    const status = statuses[new URL(url).hostname] ?? 200;
    return new Response(status === 200 ? '{"x":1}' : '{"error":"no"}', { status });
  };
  const telemetry = {
    logger: { warn: (message: string, keys: object) => logged.push([message, keys]) },
    metrics: { addUpstream: (upstream: string, values: object) => told.push([upstream, values]) },
  } as unknown as Telemetry;
  const { upstreams, live } = liveUpstreams({ urls: URLS, fetch, clock, random: () => 0, ...telemetry });
  const read = (name: keyof typeof URLS) =>
    live('book', (deadline) =>
      upstreams[name].request('book', '/x', ({ body }) => body, { deadline, retries: 0 }),
    );
  return { asked, logged, told, live, upstreams, read };
}

describe('the upstreams of a handler', () => {
  it('are asked at their own addresses, and those that were asked are told of, after each read', async () => {
    const { asked, told, logged, read } = rig();
    expect(await read('clob')).toEqual({ x: 1 });
    expect(told).toEqual([['clob', { UpstreamCalls: 1, UpstreamFailures: 0 }]]);
    await read('data');
    expect(asked).toEqual(['http://clob.example/x', 'http://data.example/x']);
    expect(told.slice(1)).toEqual([['data', { UpstreamCalls: 1, UpstreamFailures: 0 }]]);
    expect(logged).toEqual([]);
  });

  it('are told of when they fail, with what is rare only where it occurred, and the failure is logged', async () => {
    const { told, logged, read } = rig({ 'clob.example': 403, 'data.example': 500 });
    await expect(read('clob')).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await expect(read('data')).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(told).toEqual([
      ['clob', { UpstreamCalls: 1, UpstreamFailures: 1, UpstreamBlocked: 1 }],
      ['data', { UpstreamCalls: 1, UpstreamFailures: 1 }],
    ]);
    expect(logged).toEqual([
      ['Upstream call failed', expect.objectContaining({ upstream: 'clob', status: 403 })],
      ['Upstream call failed', expect.objectContaining({ upstream: 'data', status: 500 })],
    ]);
  });

  it('are told of where no call was made, since it would have come too late', async () => {
    const { told, live, upstreams } = rig();
    const late = { deadline: 0, retries: 0 };
    await expect(
      live('book', () => upstreams.clob.request('book', '/x', ({ body }) => body, late)),
    ).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(told).toEqual([['clob', { UpstreamCalls: 0, UpstreamFailures: 1 }]]);
  });

  it('are not told of by a read that asks none of them', async () => {
    const { told, live } = rig();
    expect(await live('book', async () => 'from memory')).toBe('from memory');
    expect(told).toEqual([]);
  });

  it('have no circuit breaker: what fails for one token may go well for the next', async () => {
    const { asked, read } = rig({ 'clob.example': 500 });
    for (let n = 0; n < 30; n++) await read('clob').catch(() => undefined);
    expect(asked).toHaveLength(30);
  });
});
