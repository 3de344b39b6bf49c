/**
 * What the design promises in numbers, layer by layer, in about a minute: `npm run bench:details`. Ratios
 * mean more than times. Recorded markets are measured too where there are any: `RECORDINGS=<folder>`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GeneratedSource, loadRecordings, RecordedSource } from 'polymarket-simulator';
import { SNAPSHOT_MARKETS_DEFAULT } from '../../lambda/contract/constants.ts';
import { benchCodecs } from './codecs.ts';
import { entriesOf } from './entries.ts';
import { benchQueries } from './queries.ts';
import { benchRefresh } from './refresh.ts';
import { benchResponses } from './responses.ts';

/** Enough for as many listable markets as a snapshot holds. */
const MARKETS = 2_500;
/** As many markets as a stage may ask for. */
const LARGEST = 50_000;

const now = Date.now();
const entries = entriesOf(
  new GeneratedSource({ seed: 1, markets: MARKETS, now }),
  SNAPSHOT_MARKETS_DEFAULT,
  now,
);
console.log(`Node.js ${process.version}, ${process.arch}`);
console.log(await benchResponses(entries, now));
for (const markets of [SNAPSHOT_MARKETS_DEFAULT, LARGEST]) console.log(await benchQueries(markets, now));
console.log(await benchCodecs('generated', entries));
const recordings = process.env.RECORDINGS ?? '../shared/recordings';
if (existsSync(join(recordings, 'gamma-markets.json'))) {
  const recorded = entriesOf(
    new RecordedSource(loadRecordings(recordings), now),
    SNAPSHOT_MARKETS_DEFAULT,
    now,
  );
  console.log(await benchCodecs('recorded', recorded));
}
console.log(await benchRefresh(MARKETS));
