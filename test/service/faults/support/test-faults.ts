import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { expectResult } from './expectations.ts';
import type { FaultCase } from './fault-case.ts';
import { FaultLanes } from './lanes.ts';

/** A case waits for its turn, and the machine may be busy. */
const LONGEST_MS = 120_000;

/** A test for every row. */
export function testFaults(title: string, rows: readonly FaultCase[]): void {
  let lanes: FaultLanes | undefined;
  beforeAll(async () => {
    lanes = await FaultLanes.start(rows);
  }, LONGEST_MS);
  afterAll(() => lanes?.close(), LONGEST_MS);

  describe(title, () => {
    for (const row of rows) {
      it(
        row.fault,
        async () => {
          if (lanes) expectResult(await lanes.result(row));
        },
        LONGEST_MS,
      );
    }
  });
}
