import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CatalogueMarket, Market } from '../../lambda/core/domain/market.ts';
import { encodeMarkets } from '../../lambda/core/domain/market-lines.ts';
import { DAY_MS, MINUTE_MS } from '../../lambda/core/domain/time.ts';
import { roundTo3 } from '../../lambda/core/domain/values.ts';
import { ARCHIVE_PROCESS } from '../../lambda/io/platform/environment.ts';
import { readGammaMarket } from '../../lambda/io/polymarket/gamma-market.ts';
import { checksumOf, compress } from '../../lambda/io/snapshots/snapshot-codec.ts';
import type { SnapshotManifest } from '../../lambda/io/snapshots/snapshot-items.ts';
import { dayOf } from '../../lambda/jobs/archive/day.ts';
import { simulatedInfo } from '../../local/simulator/archive/simulated-archive.ts';
import { hasBook, type SimulatedMarket } from '../../local/simulator/market.ts';
import { generateUniverse } from '../../local/simulator/universe/universe.ts';
import type { Result } from './result.ts';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'archive-child.ts');
/**
 * For larger lists, the bench uses each text for ten minutes, but the job still decodes it each
 * time.
 */
const MAX_FRESH_LIST = 2_000;
/** One market leaves and another enters every five minutes. */
const MINUTES_OF_A_MARKET = 5;

type Known = CatalogueMarket & { readonly simulated: SimulatedMarket };

/** A day to archive. */
interface BenchDay {
  readonly markets: number;
  /** 1,440 are a whole day. */
  readonly snapshots: number;
  /** Targets: the largest time, memory and size. */
  readonly seconds: number;
  readonly memoryMb: number;
  readonly sizeMb: number;
}

/** Measures the archive of one day, in a process of its own. */
export async function archiveOfADay(day: BenchDay): Promise<readonly Result[]> {
  const { markets, snapshots, ...targets } = day;
  const folder = mkdtempSync(join(tmpdir(), 'bench-archive-'));
  try {
    writeSnapshots(folder, markets, snapshots);
    const env = { ...process.env, ...ARCHIVE_PROCESS };
    const { stdout } = await run(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', CHILD, folder],
      { env },
    );
    const { seconds, cpuSeconds, bytes, peakBytes } = JSON.parse(stdout);
    const name = `archive of ${markets.toLocaleString('en-US')} markets`;
    const detail = `${snapshots} snapshots; ${cpuSeconds.toFixed(0)} s of CPU`;
    return [
      { name: `${name}, time`, detail, value: seconds, unit: 's', target: targets.seconds },
      {
        name: `${name}, peak memory`,
        detail,
        value: peakBytes / 1e6,
        unit: 'MB',
        target: targets.memoryMb,
      },
      { name: `${name}, size`, detail, value: bytes / 1e6, unit: 'MB', target: targets.sizeMb },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes yesterday's snapshots. The first one of each hour is the dictionary for the others. */
function writeSnapshots(folder: string, listed: number, count: number): void {
  const { start } = dayOf(Date.now() - DAY_MS);
  const universe = generateUniverse({
    seed: 1,
    markets: 1.5 * listed,
    v2Share: 0.2,
    now: start,
    lifecycle: false,
  });
  const known = universe.until(start).flatMap((simulated): Known[] => {
    const read = readGammaMarket(simulated.wire(start, true));
    return read.kind === 'listable' && hasBook(simulated, start)
      ? [{ ...read.market, simulated }]
      : [];
  });
  const published: (readonly [asOf: number, id: string])[] = [];
  let base: SnapshotManifest['base'] = {
    id: '',
    chunks: 1,
    expiresAt: 1,
    checksum: '',
    writtenAt: start,
    bytes: 1,
  };
  let baseText: Buffer = Buffer.from('');
  let text = baseText;
  for (let n = 0; n < count; n++) {
    const asOf = start + n * MINUTE_MS;
    if (n % (listed > MAX_FRESH_LIST ? 10 : 1) === 0) {
      const first = Math.floor(n / MINUTES_OF_A_MARKET);
      text = encodeMarkets(
        known.slice(first, first + listed).map((market) => pricedAt(market, asOf)),
      );
    }
    if (n % 60 === 0) {
      baseText = text;
      base = { ...base, id: `base-${n}`, checksum: checksumOf(text) };
      writeFileSync(join(folder, base.id), compress(text));
    }
    const info = simulatedInfo(asOf);
    const manifest: SnapshotManifest = {
      ...info,
      chunks: 1,
      expiresAt: 1,
      checksum: checksumOf(text),
      base,
    };
    writeFileSync(join(folder, info.id), compress(text, baseText));
    writeFileSync(join(folder, `${info.id}.json`), JSON.stringify(manifest));
    published.push([asOf, info.id]);
  }
  writeFileSync(join(folder, 'published.json'), JSON.stringify(published));
}

function pricedAt({ simulated, ...market }: Known, time: number): Market {
  const { bid, ask } = simulated.quote(time);
  const [bestBid, bestAsk] = [bid, ask].map((side) =>
    side === null ? undefined : side / simulated.units,
  );
  const midpoint = ((bestBid ?? 0) + (bestAsk ?? 1)) / 2;
  const volume = Math.floor(simulated.volume(time));
  const prices = {
    bestBid,
    bestAsk,
    midpoint,
    currentProbability: roundTo3(100 * midpoint),
    priceSource: 'book',
  };
  return { ...market, ...prices, volume, oneDayPriceChange: null } as Market;
}
