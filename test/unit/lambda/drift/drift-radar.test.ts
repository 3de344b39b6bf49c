import { describe, expect, it } from '@jest/globals';
import { DriftRadar } from '../../../../lambda/drift/drift-radar.ts';
import type { Observation } from '../../../../lambda/drift/observation.ts';
import type { UpstreamMemory } from '../../../../lambda/drift/ports.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const SEEN: Observation = {
  shapes: {},
  records: 100,
  skipped: {},
  unknownVersions: [],
  schemas: [],
  honoured: {},
  pageSize: 100,
};

function rig(failing = false) {
  const logged: unknown[] = [];
  const metrics: [string, number][] = [];
  const written: UpstreamMemory[] = [];
  const create = () =>
    new DriftRadar({
      store: {
        read: async () => {
          if (failing) throw new Error('no table');
          return written.at(-1);
        },
        write: async (memory) => {
          written.push(structuredClone(memory));
        },
      },
      logger: { warn: (message: string, keys: unknown) => logged.push([message, keys]) } as never,
      metrics: { add: (name, value) => metrics.push([name, value]), flush: () => undefined },
      clock: new ManualClock(),
    });
  return { logged, metrics, written, create };
}

describe('the radar', () => {
  it('learns on the first run, is silent while nothing changes, and writes only what is new', async () => {
    const { create, logged, metrics, written } = rig();
    const radar = create();
    for (let run = 0; run < 3; run++) await radar.endOfRun(SEEN);
    expect([logged, metrics, written.length]).toEqual([[], [], 1]);
  });

  it('tells a change once, also after a new container has begun, and keeps it as the last one', async () => {
    const { create, logged, metrics, written } = rig();
    await create().endOfRun(SEEN);
    const radar = create();
    for (let run = 0; run < 2; run++) await radar.endOfRun({ ...SEEN, pageSize: 50 });
    await create().endOfRun({ ...SEEN, pageSize: 50 });
    const change = { what: 'markets of a page', before: '100', after: '50' };
    expect(logged).toEqual([['The upstream has changed', change]]);
    expect(metrics).toEqual([['DriftDetected', 1]]);
    expect(written.at(-1)?.lastChange).toEqual({ at: '2026-11-21T12:00:00.000Z', ...change });
  });

  it('fails no run: neither without a table, nor when nothing was seen', async () => {
    const { create, logged, written } = rig(true);
    await create().endOfRun(undefined);
    expect(logged).toEqual([]);
    await create().endOfRun(SEEN);
    expect(logged).toHaveLength(1);
    expect(written).toEqual([]);
  });
});
