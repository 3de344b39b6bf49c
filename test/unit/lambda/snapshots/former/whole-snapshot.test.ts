import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { decodeWholeSnapshot } from '../../../../../lambda/snapshots/former/whole-snapshot.ts';
import { snapshotEntry } from '../../../../support/snapshot-entry.ts';

const ENTRIES = [snapshotEntry(1), snapshotEntry(2, { oneDayPriceChange: null })];

/** As version 0.1 wrote it. */
function stored(lines: readonly string[], facets: readonly string[]) {
  return storedText(`${lines.join(',\n')}\n\f\n${facets.join('\n')}`);
}

function storedText(text: string, chunkBytes = 100) {
  const data = zstdCompressSync(Buffer.from(text));
  const chunks = Array.from({ length: Math.ceil(data.length / chunkBytes) }, (_, n) =>
    data.subarray(n * chunkBytes, (n + 1) * chunkBytes),
  );
  return { chunks, checksum: createHash('sha256').update(data).digest('hex') };
}

const LINES = ENTRIES.map(({ market }) => JSON.stringify(market));

describe('a snapshot that version 0.1 has written', () => {
  it('is read with all that it says, chunk by chunk', () => {
    const { chunks, checksum } = stored(LINES, [
      '{"tags":["politics"],"eventTitle":"A vote"}',
      '{"tags":[]}',
    ]);
    expect(chunks.length).toBeGreaterThan(1);
    const { records, list } = decodeWholeSnapshot(chunks, checksum, 2);
    expect(records.at(0)).toMatchObject({
      ...ENTRIES[0]?.market,
      tags: ['politics'],
      eventTitle: 'A vote',
      protocolVersion: 'v1',
      outcomes: [{ label: 'Yes', tokenId: ENTRIES[0]?.market.clobTokenId, probability: 45 }],
    });
    expect(list.slice(0, 2)).toBe(`[${LINES.join(',\n')}]`);
  });

  it('is read without the facets, which the oldest did not have, and when it is empty', () => {
    const bare = stored(LINES, []);
    expect(decodeWholeSnapshot(bare.chunks, bare.checksum, 2).records.at(1)?.tags).toEqual([]);
    const listOnly = storedText(LINES.join(',\n'));
    expect(decodeWholeSnapshot(listOnly.chunks, listOnly.checksum, 2).records.at(1)?.tags).toEqual([]);
    const empty = stored([], []);
    expect(decodeWholeSnapshot(empty.chunks, empty.checksum, 0).records.length).toBe(0);
  });

  it('is refused when it is not whole', () => {
    const { chunks, checksum } = stored(LINES, ['{}', '{}']);
    expect(() => decodeWholeSnapshot(chunks.slice(1), checksum, 2)).toThrow(
      'The snapshot does not match its checksum',
    );
    expect(() => decodeWholeSnapshot(chunks, checksum, 3)).toThrow('Expected 3 markets, found 2');
  });
});
