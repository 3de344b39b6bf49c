import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshots } from '../fixture/snapshots.ts';
import { paired } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const PAGE = 500;

/** What a container does when there is a newer snapshot, against reading the same data as a JSON file. */
export const takeoverPart: Part = {
  name: 'takeover',
  summary: 'a container takes over a new snapshot',
  quick: true,
  async run({ quick, service }) {
    const snapshots = openSnapshots(await service());
    const { records } = await snapshots.read();
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    const file = join(folder, 'snapshot.json');
    writeFileSync(file, JSON.stringify([...records]));
    try {
      const figures = await paired({
        // With a page, since what nobody asks for is not decoded.
        ours: async () => (await snapshots.read()).list.slice(0, PAGE),
        theirs: async () => JSON.parse(await readFile(file, 'utf8')),
        rounds: quick ? 24 : 64,
      });
      return [
        {
          part: 'takeover',
          unit: 'ms',
          what: '2,000 markets, base in memory, two reads of the table',
          against: 'reading and parsing the same JSON from disk',
          ...figures,
          goal: { most: 1 },
        },
      ];
    } finally {
      snapshots.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
