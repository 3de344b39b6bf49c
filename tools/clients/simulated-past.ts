import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../lambda/core/contract/constants.ts';
import type { Clock } from '../../lambda/io/platform/clock.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import type { HttpCall } from '../../lambda/io/upstream/http-call.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { Past } from '../../local/past/past.ts';
import { startSimulator } from '../../local/simulator/index.ts';

/** The number of closed markets to request: about as many as the simulator has. */
const REQUESTED_MARKETS = 3_700;
/** The number of open markets whose histories the past also has. */
const LISTED_MARKETS = 100;
/** The number of tokens for which `sent.json` has what upstream sent. */
const RECORDED_TOKENS = 50;

/**
 * Writes a past of the simulator into `data/archive/past` of a folder, as `npm run archive --
 * --past` does, for the queries in `archive_queries.py`. Beside it is `sent.json`, with which they
 * compare the prices: what upstream sent for some tokens.
 *
 * @param start Unix ms
 */
export async function simulatePast(folder: string, start: number): Promise<void> {
  const clock = skippingClock(start);
  const simulator = await startSimulator({ markets: 300, lifecycle: false, now: clock.now, start });
  const sent: Record<string, unknown> = {};
  /** Calls the simulator, and records histories. Each is one page. */
  const call = async (_clock: Clock, { url }: HttpCall) => {
    const headers = { 'user-agent': `market-data-proxy/${VERSION}` };
    const body = (await (await fetch(url, { headers })).json()) as { data?: unknown };
    const token = url.searchParams.get('token_id');
    if (token !== null && Object.keys(sent).length < RECORDED_TOKENS) sent[token] = body.data;
    return { body, cachedMs: 0 };
  };
  const common = { baseUrl: simulator.url, clock, random: () => 0, call };
  await new Past({
    requested: REQUESTED_MARKETS,
    maxListed: LISTED_MARKETS,
    state: new FolderStore(join(folder, 'data/past')),
    archive: new FolderStore(join(folder, 'data/archive')),
    origin: { version: VERSION, commit: VERSION, upstream: 'simulated', stage: 'local' },
    gamma: new Upstream('gamma', common),
    data: new Upstream('data', common),
    clock,
  }).run();
  await simulator.stop();
  writeFileSync(join(folder, 'sent.json'), JSON.stringify(sent));
}

/**
 * A clock that skips each wait, so that rate limits take no time. Parallel waits add up.
 *
 * @param start Unix ms
 */
function skippingClock(start: number): Clock {
  let time = start;
  return {
    now: () => time,
    after(ms, callback) {
      const skip = setImmediate(() => {
        time += ms;
        callback();
      });
      return () => clearImmediate(skip);
    },
  };
}
