import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Telemetry } from '../../../../lambda/platform/telemetry.ts';
import { createLiveClob } from '../../../../lambda/polymarket/create-live-upstreams.ts';
import { type StubUpstream, send, startStubUpstream } from '../../../support/stub-upstream.ts';

let stub: StubUpstream;
beforeAll(async () => {
  stub = await startStubUpstream();
});
afterAll(() => stub.close());

it("reads CLOB over Node's own HTTP, within a caller's time, and tells its calls and failures", async () => {
  const told: unknown[] = [];
  const logged: unknown[] = [];
  const { upstream, live } = createLiveClob(stub.url, {
    logger: { warn: (_: string, keys: object) => logged.push(keys) },
    metrics: { addUpstream: (name: string, values: object) => told.push([name, values]) },
  } as unknown as Telemetry);
  const read = () =>
    live('book', (deadline) =>
      upstream.request('book', '/book?token_id=7', ({ body }) => body, { deadline, retries: 0 }),
    );
  stub.reply(send({ bids: [] }), send({ error: 'internal' }, 500));
  expect(await read()).toEqual({ bids: [] });
  await expect(read()).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(stub.requests).toEqual(['/book?token_id=7', '/book?token_id=7']);
  expect(told).toEqual([
    ['clob', { UpstreamCalls: 1, UpstreamFailures: 0 }],
    ['clob', { UpstreamCalls: 1, UpstreamFailures: 1 }],
  ]);
  expect(logged).toEqual([expect.objectContaining({ upstream: 'clob', route: 'book', status: 500 })]);
});
