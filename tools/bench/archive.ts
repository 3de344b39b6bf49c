/**
 * The part of the bench that measures the archive of a simulated day. It writes a day of snapshots
 * into a folder; `archive-child.ts` archives them in a process of its own, whose memory counts.
 */
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
/** Lists of at most this many markets have new prices in each snapshot, once a minute. */
const MAX_SMALL_LIST = 2_000;
/**
 * Larger lists have new prices only every ten minutes: so the day is made faster. The archive job
 * decodes each snapshot anyway.
 */
const PRICE_MINUTES_OF_LARGE_LIST = 10;
/** Every five minutes, one market leaves the list and another enters it. */
const MINUTES_BETWEEN_MARKETS = 5;
/**
 * The first snapshot of each hour is the dictionary (`base`) with which the others are compressed.
 */
const MINUTES_BETWEEN_BASES = 60;
/** So many simulated markets for each listed one: enough for those that enter during the day. */
const MARKETS_PER_LISTED = 1.5;

/** A market of the catalogue, with the simulated one that has its prices. */
type PricedMarket = CatalogueMarket & { readonly simulated: SimulatedMarket };

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
  const priceMinutes = listed > MAX_SMALL_LIST ? PRICE_MINUTES_OF_LARGE_LIST : 1;
  const published: (readonly [asOf: number, id: string])[] = [];
  let text: Buffer = Buffer.from('');
  let base = { id: '', text };
  for (let minute = 0; minute < count; minute++) {
    const asOf = start + minute * MINUTE_MS;
    if (minute % priceMinutes === 0) {
      const first = Math.floor(minute / MINUTES_BETWEEN_MARKETS);
      const markets = known.slice(first, first + listed);
      text = encodeMarkets(markets.map((market) => pricedAt(market, asOf)));
    }
    if (minute % MINUTES_BETWEEN_BASES === 0) {
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

/** What a manifest says of a text that fits into one item. */
function storedText(text: Buffer) {
  return { chunks: 1, expiresAt: 1, checksum: checksumOf(text) };
}

/** The markets that are open when the day starts. A list has the first of them. */
function knownMarkets(listed: number, start: number): readonly PricedMarket[] {
  const universe = generateUniverse({
    seed: 1,
    markets: MARKETS_PER_LISTED * listed,
    v2Share: 0.2,
    now: start,
    lifecycle: false,
  });
  return universe.until(start).flatMap((simulated): PricedMarket[] => {
    const read = readGammaMarket(simulated.wire(start, true));
    const isListed = read.kind === 'listable' && hasBook(simulated, start);
    return isListed ? [{ ...read.market, simulated }] : [];
  });
}

/** A market as a snapshot has it, with the middle of its book as the price. */
function pricedAt({ simulated, ...market }: PricedMarket, time: number): Market {
  const { bid, ask } = simulated.quote(time);
  // A quote is in ticks. A side without orders is null.
  const bestBid = bid === null ? undefined : bid / simulated.units;
  const bestAsk = ask === null ? undefined : ask / simulated.units;
  const midpoint = ((bestBid ?? 0) + (bestAsk ?? 1)) / 2;
  const volume = Math.floor(simulated.volume(time));
  // Sizes change with each full run, every two minutes.
  const draw = new Draw(mix(simulated.key, Math.floor(time / (2 * MINUTE_MS))), 'sizes');
  const bidSize = bid === null ? undefined : Number(sharesText(draw));
  const askSize = ask === null ? undefined : Number(sharesText(draw));
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
