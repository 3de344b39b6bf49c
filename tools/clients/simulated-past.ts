import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../lambda/core/contract/constants.ts';
import type { Clock } from '../../lambda/io/platform/clock.ts';
import { Upstream } from '../../lambda/io/upstream/client.ts';
import type { HttpCall } from '../../lambda/io/upstream/http-call.ts';
import { FolderStore } from '../../local/folder-store.ts';
import { Past } from '../../local/past/past.ts';
import { startSimulator } from '../../local/simulator/index.ts';

/** All closed markets of the simulator. A past has at least 3,200 of them. */
const REQUESTED = 3_700;
/** The open markets whose histories the past also has. */
const LISTED = 100;
/** `sent.json` has what upstream sent about this many tokens. */
const RECORDED = 50;

/**
 * Writes a past of the simulator into `data/archive/past`, as `npm run archive -- --past` does. The
 * clock skips each wait, so the rate limits take no time.
 */
export async function simulatePast(folder: string, start: number): Promise<void> {
  let time = start;
  const clock: Clock = {
    now: () => time,
    after(ms, callback) {
      const skip = setImmediate(() => {
        time += ms;
        callback();
      });
      return () => clearImmediate(skip);
    },
  };
  const simulator = await startSimulator({ markets: 300, lifecycle: false, now: clock.now, start });
  const sent: Record<string, unknown> = {};
  const call = async (_clock: Clock, { url }: HttpCall) => {
    const headers = { 'user-agent': `market-data-proxy/${VERSION}` };
    const body = (await (await fetch(url, { headers })).json()) as { data?: unknown };
    const token = url.searchParams.get('token_id');
    if (token !== null && Object.keys(sent).length < RECORDED) sent[token] = body.data;
    return { body, cachedMs: 0 };
  };
  const common = { baseUrl: simulator.url, clock, random: () => 0, call };
  await new Past({
    requested: REQUESTED,
    maxListed: LISTED,
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
