import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import type { SnapshotEntry } from '../../lambda/domain/snapshot.ts';
import { ms, table, timed } from './timing.ts';

const RUNS = 15;

const brotli = (quality: number) => ({
  encode: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  decode: brotliDecompressSync,
});
const zstd = (level: number) => ({
  encode: (text: string) =>
    zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: level } }),
  decode: zstdDecompressSync,
});
const CODECS = {
  'gzip-6': { encode: (text: string) => gzipSync(text, { level: 6 }), decode: gunzipSync },
  'brotli-5': brotli(5),
  'brotli-9': brotli(9),
  'zstd-3': zstd(3),
  'zstd-9 (used)': zstd(9),
} as const;

/** What a snapshot weighs and costs in the formats it could be stored in. */
export async function benchCodecs(name: string, entries: readonly SnapshotEntry[]): Promise<string> {
  const text = entries.map(({ market, facets }) => JSON.stringify({ ...market, ...facets })).join('\n');
  const rows: string[][] = [['', 'kB', 'share', 'encode', 'decode']];
  for (const [codec, { encode, decode }] of Object.entries(CODECS)) {
    const data = encode(text);
    const encoding = await timed(RUNS, () => encode(text));
    const decoding = await timed(RUNS, () => decode(data).toString('utf8'));
    const share = `${((100 * data.length) / Buffer.byteLength(text)).toFixed(1)} %`;
    rows.push([codec, (data.length / 1_000).toFixed(0), share, ms(encoding.median), ms(decoding.median)]);
  }
  return table(
    `A snapshot of ${entries.length} ${name} markets, ${(text.length / 1_000).toFixed(0)} kB of text`,
    rows,
  );
}
