import { describe, expect, it } from '@jest/globals';
import {
  pointerItem,
  readManifest,
  readShrunkRuns,
  requireManifest,
} from '../../../../lambda/io/snapshots/snapshot-items.ts';
import type { SnapshotManifest } from '../../../../lambda/io/snapshots/snapshot-manifest.ts';
import { testManifest, testMarkets } from '../../../support/markets.ts';

// A manifest describes a snapshot of the markets: its times, its counts, and where its items are in
// the table. The item that points to the newest snapshot has its manifest as JSON, and counts the
// runs since then whose list was too short to be published ("shrunk runs").

const manifest: SnapshotManifest = { ...testManifest(testMarkets(1)), memorySince: 1 };
/** An item whose manifest is this value. */
const stored = (value: unknown) => ({ manifest: { S: JSON.stringify(value) } });

describe('a stored manifest', () => {
  it('is read as it was written', () => {
    const item = pointerItem(manifest, 3);
    expect(readManifest(item)).toEqual(manifest);
    expect(readShrunkRuns(item)).toBe(3);
  });

  it.each([
    ['nothing', {}],
    ['text that is not JSON', { manifest: { S: '{' } }],
    ['a list', stored([])],
    ['no id', stored({ ...manifest, id: undefined })],
    ['a time that is a text', stored({ ...manifest, asOf: '0' })],
    ['a number that is null', stored({ ...manifest, chunks: null })],
    [
      'a base of another form',
      stored({ ...manifest, base: { ...manifest.base, writtenAt: undefined } }),
    ],
    [
      'counts without reasons',
      stored({ ...manifest, counts: { ...manifest.counts, skippedByReason: null } }),
    ],
    [
      'counts without versions',
      stored({ ...manifest, counts: { ...manifest.counts, unknownVersions: {} } }),
    ],
    ['missing markets without a number', stored({ ...manifest, missing: { since: 1 } })],
    ['a memory that is a text', stored({ ...manifest, memorySince: 'x' })],
  ])('with %s cannot be read', (_, item) => {
    expect(readManifest(item)).toBeUndefined();
    expect(() => requireManifest(item)).toThrow('cannot be read');
  });

  it('without a number of shrunk runs has none', () => {
    expect(readShrunkRuns({})).toBe(0);
  });
});
