/** The part of the bench that measures the archive of a simulated day. */
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
import type { SnapshotManifest } from '../../lambda/io/snapshots/snapshot-manifest.ts';
import { dayOf } from '../../lambda/jobs/archive/day.ts';
import { simulatedInfo } from '../../local/simulator/archive/simulated-archive.ts';
import { sharesText } from '../../local/simulator/books.ts';
import { hasBook, type SimulatedMarket } from '../../local/simulator/market.ts';
import { Draw, mix } from '../../local/simulator/random.ts';
import { generateUniverse } from '../../local/simulator/universe/universe.ts';
import type { Result } from './result.ts';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'archive-child.ts');
/** Prices change with each snapshot, once a minute, in lists of at most this many markets. */
const MAX_FRESH_LIST = 2_000;
/** Prices of larger lists change every ten minutes, which saves time. The job decodes each list. */
const MINUTES_OF_LARGE_LIST = 10;
/** One market leaves and another enters every five minutes. */
const MINUTES_OF_MARKET = 5;
/** The first snapshot of each hour is the dictionary (`base`) for the others. */
const MINUTES_OF_BASE = 60;

/** A market of the catalogue, with the simulated one that has its prices. */
type Known = CatalogueMarket & { readonly simulated: SimulatedMarket };

/** A day to archive, with the targets that its archive must meet. */
interface BenchDay {
  readonly markets: number;
  /** One a minute: 1,440 are a whole day. */
  readonly snapshots: number;
  readonly maxSeconds: number;
  readonly maxMemoryMb: number;
  readonly maxSizeMb: number;
}

/** Measures the archive of one day, in a process of its own. */
export async function archiveOfADay(day: BenchDay): Promise<readonly Result[]> {
  const { markets, snapshots, maxSeconds, maxMemoryMb, maxSizeMb } = day;
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
    const [peakMb, sizeMb] = [peakBytes / 1e6, bytes / 1e6];
    return [
      { name: `${name}, time`, detail, value: seconds, unit: 's', target: maxSeconds },
      { name: `${name}, peak memory`, detail, value: peakMb, unit: 'MB', target: maxMemoryMb },
      { name: `${name}, size`, detail, value: sizeMb, unit: 'MB', target: maxSizeMb },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Writes yesterday's first snapshots, one a minute, as the table would hold them: dictionaries,
 * texts and manifests. `published.json` lists their times and ids.
 */
function writeSnapshots(folder: string, listed: number, count: number): void {
  const { start } = dayOf(Date.now() - DAY_MS);
  const known = knownMarkets(listed, start);
  const minutesOfText = listed > MAX_FRESH_LIST ? MINUTES_OF_LARGE_LIST : 1;
  const published: (readonly [asOf: number, id: string])[] = [];
  let text: Buffer = Buffer.from('');
  let base = { id: '', text };
  for (let minute = 0; minute < count; minute++) {
    const asOf = start + minute * MINUTE_MS;
    if (minute % minutesOfText === 0) {
      const first = Math.floor(minute / MINUTES_OF_MARKET);
      const markets = known.slice(first, first + listed);
      text = encodeMarkets(markets.map((market) => pricedAt(market, asOf)));
    }
    if (minute % MINUTES_OF_BASE === 0) {
      base = { id: `base-${minute}`, text };
      writeFileSync(join(folder, base.id), compress(text));
    }
    const info = simulatedInfo(asOf);
    const manifest: SnapshotManifest = {
      ...info,
      ...storedText(text),
      base: { ...storedText(base.text), id: base.id, writtenAt: start, bytes: 1 },
    };
    writeFileSync(join(folder, info.id), compress(text, base.text));
    writeFileSync(join(folder, `${info.id}.json`), JSON.stringify(manifest));
    published.push([asOf, info.id]);
  }
  writeFileSync(join(folder, 'published.json'), JSON.stringify(published));
}

/** What a manifest says of a text in one item. */
function storedText(text: Buffer) {
  return { chunks: 1, expiresAt: 1, checksum: checksumOf(text) };
}

/**
 * Half as many markets again as a list has, because one enters and one leaves from time to time.
 */
function knownMarkets(listed: number, start: number): readonly Known[] {
  const universe = generateUniverse({
    seed: 1,
    markets: 1.5 * listed,
    v2Share: 0.2,
    now: start,
    lifecycle: false,
  });
  return universe.until(start).flatMap((simulated): Known[] => {
    const read = readGammaMarket(simulated.wire(start, true));
    const isListed = read.kind === 'listable' && hasBook(simulated, start);
    return isListed ? [{ ...read.market, simulated }] : [];
  });
}

/** A market as a snapshot has it, with the middle of its book as the price. */
function pricedAt({ simulated, ...market }: Known, time: number): Market {
  const { bid, ask } = simulated.quote(time);
  const [bestBid, bestAsk] = [bid, ask].map((side) =>
    side === null ? undefined : side / simulated.units,
  );
  const midpoint = ((bestBid ?? 0) + (bestAsk ?? 1)) / 2;
  const volume = Math.floor(simulated.volume(time));
  // Sizes change with each full run.
  const draw = new Draw(mix(simulated.key, Math.floor(time / MINUTE_MS / 2)), 'sizes');
  const [bidSize, askSize] = [bid, ask].map((side) =>
    side === null ? undefined : Number(sharesText(draw)),
  );
  const prices = {
    bestBid,
    bestAsk,
    bidSize,
    askSize,
    midpoint,
    currentProbability: roundTo3(100 * midpoint),
    priceSource: 'book',
  };
  return { ...market, ...prices, volume, oneDayPriceChange: null } as Market;
}
