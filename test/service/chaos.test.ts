import { expect, it } from '@jest/globals';
import { runChaos } from '../../local/chaos/chaos.ts';
import type { ChaosScenario } from '../../local/chaos/scenarios.ts';
import { TestService } from './support/test-service.ts';

const SCENARIOS: readonly ChaosScenario[] = [
  {
    title: 'Midpoints are nonsense.',
    expect: 'prices of the catalogue.',
    faults: [{ route: 'midpoints', kind: 'midpoints-invalid', share: 1 }],
    refreshes: 1,
  },
  { title: 'All is well.', expect: 'prices of the order book.', faults: [], refreshes: 1 },
];

it('chaos runs on the running service, tells what it does, and leaves nothing behind', async () => {
  const service = await TestService.start({
    service: { schedule: 1 },
    environment: { REFRESH_INTERVAL_SECONDS: '1' },
  });
  const told: string[] = [];
  try {
    await service.service.firstRefresh;
    const tell = (text: string) => void told.push(text);
    const { signal } = new AbortController();
    const upstreamUrl = service.upstream.url;
    await runChaos({ service: service.service, upstreamUrl, tell, signal, scenarios: SCENARIOS });
    expect(service.upstream.state()).toMatchObject({ faults: [] });
  } finally {
    await service.close();
  }
  const [wrong] = told.filter((line) => line.startsWith('CHAOS 1/2: /api/status'));
  expect(wrong).toMatch(
    /says ok, [\d.]+ s old \(\d+ markets, .*; GET \/api\/markets is 200 with \d+ markets$/,
  );
  expect(told.at(-1)).toBe('CHAOS is over: all faults are cleared. The service keeps running.');
  const priced = told.flatMap((line) => /(\d+) priced by the catalogue/.exec(line)?.[1] ?? []).map(Number);
  expect(Math.max(...priced)).toBeGreaterThan(100);
  expect(priced.at(-1)).toBeLessThan(100);
}, 120_000);

it('chaos ends with the service', async () => {
  const service = await TestService.start();
  const stop = new AbortController();
  try {
    const running = runChaos({
      service: service.service,
      upstreamUrl: service.upstream.url,
      // In the middle of the first scenario.
      tell: (text) => {
        if (text.startsWith('CHAOS 1/')) stop.abort();
      },
      signal: stop.signal,
    });
    await expect(running).rejects.toThrow('aborted');
  } finally {
    await service.close();
  }
}, 120_000);
