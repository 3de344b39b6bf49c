import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../local/service.ts';
import { type Simulator, startSimulator } from '../../local/simulator/index.ts';
import { smoke } from '../../tools/smoke.ts';
import { captureOutput } from '../support/captured-output.ts';

describe('the smoke test', () => {
  let upstream: Simulator;
  let service: LocalService;
  beforeAll(async () => {
    captureOutput();
    upstream = await startSimulator({ markets: 150, lifecycle: false });
    const { url } = upstream;
    const addresses = { gammaUrl: url, clobUrl: url, dataUrl: url };
    service = await startLocalService({ upstream: addresses, rateLimit: 60 });
    await service.refresh('full');
  });
  afterAll(async () => {
    await service.stop();
    await upstream.stop();
  });

  it('passes for the local service, except that it needs no key', async () => {
    const lines: string[] = [];
    const status = await smoke([service.url, '--api-url', service.url], (line) => lines.push(line));
    expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([
      expect.stringContaining('FAILED  callers need a key: 200 '),
    ]);
    expect(lines.filter((line) => line.startsWith('ok'))).toHaveLength(9);
    expect(status).toBe(1);
  });

  it('passes for a local server without a limit', async () => {
    // The simulator limits the calls of both services together.
    const ownUpstream = await startSimulator({ markets: 60, lifecycle: false });
    const { url } = ownUpstream;
    const other = await startLocalService({ upstream: { gammaUrl: url, clobUrl: url, dataUrl: url } });
    await other.refresh('full');
    const lines: string[] = [];
    const status = await smoke([other.url], (line) => lines.push(line));
    await Promise.all([other.stop(), ownUpstream.stop()]);

    expect(lines).toContainEqual(expect.stringMatching(/^ok {6}the default page is whole: \d+ markets, no limit per/));
    expect(lines.at(-1)).toMatch(/^0 checks failed/);
    expect(status).toBe(0);
  });

  it('fails for another service', async () => {
    const other = createServer((_request, response) => response.end('<html>')).listen(0);
    const lines: string[] = [];
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    expect(await smoke([url], (line) => lines.push(line))).toBe(1);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(9);
    other.close();
    other.closeAllConnections();
  });

  it('rejects wrong options', async () => {
    await expect(smoke([], () => undefined)).rejects.toThrow('The address of one deployment is needed.');
    await expect(smoke([service.url, '--colour'], () => undefined)).rejects.toThrow('--colour');
  });
});
