import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dayOf } from '../../lambda/app/archive/day.ts';
import type { Market } from '../../lambda/core/domain/market.ts';
import { encodeMarkets } from '../../lambda/core/domain/market-lines.ts';
import { countSources, snapshotId } from '../../lambda/core/domain/snapshot.ts';
import { DAY_MS } from '../../lambda/core/domain/time.ts';
import { roundTo3 } from '../../lambda/core/domain/values.ts';
import { ARCHIVE_PROCESS } from '../../lambda/io/platform/environment.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import { checksumOf, compress } from '../../lambda/io/snapshots/snapshot-codec.ts';
import type { Manifest } from '../../lambda/io/snapshots/snapshot-items.ts';
import { hasBook, type SimulatedMarket } from '../../local/simulator/market.ts';
import { generateUniverse } from '../../local/simulator/universe/universe.ts';
import type { Result } from './result.ts';

const run = promisify(execFile);
const CHILD = new URL('./archive-child.ts', import.meta.url).pathname;
const MINUTE_MS = 60_000;
/** Of larger lists, each text serves for ten minutes: the job decodes it each time. */
const MAX_FRESH_LIST = 2_000;
/** One market leaves and another enters every five minutes. */
const MINUTES_OF_A_MARKET = 5;

type Known = { readonly simulated: SimulatedMarket; readonly market: Partial<Market> };

interface BenchDay {
  readonly markets: number;
  /** 1,440 are a whole day. */
  readonly snapshots: number;
  /** Targets. */
  readonly seconds: number;
  readonly memoryMb: number;
  readonly sizeMb: number;
}

/** The archive of one day, in a process of its own. */
export async function archiveOfADay(day: BenchDay): Promise<readonly Result[]> {
  const { markets, snapshots, ...targets } = day;
  const folder = mkdtempSync(join(tmpdir(), 'bench-archive-'));
  try {
    writeSnapshots(folder, markets, snapshots);
    const env = { ...process.env, ...ARCHIVE_PROCESS };
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, folder], { env });
    const { seconds, cpuSeconds, bytes, footerBytes, peakBytes } = JSON.parse(stdout);
    const detail = `${markets.toLocaleString('en-US')} markets × ${snapshots} snapshots`;
    return [
      {
        name: 'archive of a day, time',
        detail: `${detail}; ${cpuSeconds.toFixed(0)} s of CPU`,
        value: seconds,
        unit: 's',
        target: targets.seconds,
      },
      { name: 'archive of a day, peak memory', detail, value: peakBytes / 1e6, unit: 'MB', target: targets.memoryMb },
      { name: 'archive of a day, size', detail, value: bytes / 1e6, unit: 'MB', target: targets.sizeMb },
      // A reader of one market reads it first.
      { name: 'archive of a day, footer', detail, value: footerBytes / 1e6, unit: 'MB', target: 0.15 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes the items of yesterday: each snapshot is compressed with the first one of its hour as dictionary. */
function writeSnapshots(folder: string, listed: number, count: number): void {
  const { start } = dayOf(Date.now() - DAY_MS);
  const universe = generateUniverse({ seed: 1, markets: 1.5 * listed, v2Share: 0.2, now: start, lifecycle: false });
  const known = universe.until(start).flatMap((simulated): Known[] => {
    const read = readGammaMarket(simulated.wire(start, true));
    return read.kind === 'listable' && hasBook(simulated, start) ? [{ simulated, market: read.market }] : [];
  });
  const published: (readonly [number, string])[] = [];
  let base: { readonly id: string; readonly text: Buffer } = { id: '', text: Buffer.from('') };
  let text: Buffer = Buffer.from('');
  for (let n = 0; n < count; n++) {
    const asOf = start + n * MINUTE_MS;
    const id = snapshotId(asOf, () => 0);
    const first = Math.floor(n / MINUTES_OF_A_MARKET);
    if (n % (listed > MAX_FRESH_LIST ? 10 : 1) === 0) {
      text = encodeMarkets(known.slice(first, first + listed).map((one) => pricedAt(one, asOf)));
    }
    if (n % 60 === 0) {
      base = { id: `base-${n}`, text };
      writeFileSync(join(folder, base.id), compress(text));
    }
    const stored = { chunks: 1, expiresAt: 1 };
    const manifest: Manifest = {
      ...{
        ...stored,
        id,
        asOf,
        readUntil: asOf,
        failedCalls: 0,
        catalogueAsOf: asOf,
        cataloguePricesAsOf: asOf,
        markets: listed,
        maxMarkets: listed,
        isCut: false,
        checksum: checksumOf(text),
      },
      counts: { skipped: 0, skippedByReason: {}, unknownVersions: [], withOneDayChange: 0, bySource: countSources([]) },
      base: { ...stored, id: base.id, checksum: checksumOf(base.text), writtenAt: asOf, bytes: 1 },
    };
    writeFileSync(join(folder, id), compress(text, base.text));
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(manifest));
    published.push([asOf, id]);
  }
  writeFileSync(join(folder, 'published.json'), JSON.stringify({ published }));
}

function pricedAt({ simulated, market }: Known, time: number): Market {
  const { bid, ask } = simulated.quote(time);
  const [bestBid, bestAsk] = [bid, ask].map((side) => (side === null ? undefined : side / simulated.units));
  const midpoint = ((bestBid ?? 0) + (bestAsk ?? 1)) / 2;
  const volume = Math.floor(simulated.volume(time));
  const prices = { bestBid, bestAsk, midpoint, currentProbability: roundTo3(100 * midpoint), priceSource: 'book' };
  return { ...market, ...prices, volume, oneDayPriceChange: null } as Market;
}
