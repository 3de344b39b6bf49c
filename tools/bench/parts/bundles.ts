import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FunctionName } from '../../../lambda/contract/environment.ts';
import type { Part } from '../harness/part.ts';

const READERS: readonly FunctionName[] = [
  'list-markets',
  'search-markets',
  'get-order-book',
  'get-prices-history',
  'get-status',
  'get-openapi',
];
const MOST_KB = 200;

/** What Lambda loads for each function that callers reach, without its source map. */
export const bundlesPart: Part = {
  name: 'bundles',
  summary: 'bundle sizes',
  quick: true,
  async run({ service }) {
    const bench = await service();
    return READERS.map((name) => {
      const file = fileURLToPath(bench.definition(name).module);
      const gzipped = gzipSync(readFileSync(file)).length / 1_000;
      return {
        part: 'bundles',
        unit: 'KB',
        what: name,
        ours: statSync(file).size / 1_000,
        goal: { most: MOST_KB },
        note: `${gzipped.toFixed(0)} KB gzipped`,
      };
    });
  },
};
