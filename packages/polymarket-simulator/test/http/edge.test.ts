import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isRefusedAgent } from '../../src/http/user-agents.ts';
import { AGENT, call, PAGE, type Rig, startRig } from '../helpers.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ markets: 200 });
});
afterAll(() => rig.close());

describe('the edge', () => {
  it.each([
    [undefined, true],
    ['', true],
    ['node', true],
    ['undici', true],
    ['axios/1.7.9', true],
    ['python-requests/2.32.3', true],
    ['Python/3.12 aiohttp/3.9', true],
    ['Go-http-client/1.1', true],
    ['nodejs-market-proxy/1', false],
    ['market-data-proxy/0.1 (+https://example.com)', false],
  ])('User-Agent %s: refused %s', (agent, refused) => {
    expect(isRefusedAgent(agent)).toBe(refused);
  });

  it('refuses a library’s User-Agent with 403 error code: 1010 as plain text', async () => {
    // Node's fetch says "node".
    const reply = await call(rig.url + PAGE, {});
    expect(reply.status).toBe(403);
    expect(reply.text).toBe('error code: 1010');
    expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
  });

  it('has CORS on CLOB only for requests with an Origin', async () => {
    expect((await rig.get('/book')).headers.has('access-control-allow-origin')).toBe(false);
    const reply = await rig.get('/book', { origin: 'https://example.com' });
    expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('responds to other paths and methods without a crash', async () => {
    expect((await rig.get('/nothing')).status).toBe(404);
    expect((await rig.get('/books')).status).toBe(405);
    expect((await rig.get('/markets/keyset?limit=-1')).status).toBe(422);
    expect((await rig.get('/markets/keyset?limit=9999999999999999999999')).status).toBe(422);
    expect((await call(`${rig.url}/book`, { method: 'OPTIONS', headers: AGENT })).status).toBe(204);
    expect((await rig.post('/books', 'x'.repeat(1_100_000))).status).toBe(413);
  });

  it('gzips when asked and keeps connections alive', async () => {
    const raw = await new Promise<{ encoding: unknown; connection: unknown; bytes: Buffer }>(
      (resolve, reject) => {
        const headers = { ...AGENT, 'accept-encoding': 'br, gzip' };
        request(rig.url + PAGE, { headers }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            const { 'content-encoding': encoding, connection } = response.headers;
            resolve({ encoding, connection, bytes: Buffer.concat(parts) });
          });
        })
          .on('error', reject)
          .end();
      },
    );
    expect(raw.encoding).toBe('gzip');
    expect(raw.connection).toBe('keep-alive');
    expect(JSON.parse(gunzipSync(raw.bytes).toString())).toHaveProperty('markets');
    expect((await rig.get(PAGE, { 'accept-encoding': 'identity' })).headers.has('content-encoding')).toBe(
      false,
    );
  });
});

describe('rate limits', () => {
  it('delays, then refuses more than 300 Gamma lists in 10 s with 429 as HTML and no rate-limit headers', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 300; sent += 50) {
      const replies = await Promise.all(Array.from({ length: 50 }, () => rig.get('/markets/keyset?limit=1')));
      statuses.push(...replies.map((reply) => reply.status));
    }
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(285);
    const over = await Promise.all(Array.from({ length: 60 }, () => rig.get('/markets/keyset?limit=1')));
    const refused = over.filter((reply) => reply.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(30);
    expect(refused[0]?.text).toMatch(/^<html>/);
    expect([...(refused[0]?.headers.keys() ?? [])].filter((name) => /rate|retry/.test(name))).toEqual([]);
    expect((await rig.get('/book')).status).toBe(400);
    // Switched off, they do not act; in the next window, they start again.
    rig.setRateLimits(false);
    expect((await rig.get('/markets?limit=1')).status).toBe(200);
    rig.setRateLimits(true);
    expect((await rig.get('/markets?limit=1')).status).toBe(429);
    rig.clock.ms += 10_000;
    expect((await rig.get('/markets?limit=1')).status).toBe(200);
  });
});
