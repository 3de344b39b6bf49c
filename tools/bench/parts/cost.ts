import { deployedOf } from '../../costs/deployed.ts';
import { readMeasured } from '../../costs/measured.ts';
import { billOf, monthOf } from '../../costs/model.ts';
import type { Part } from '../harness/part.ts';

const MILLION = 1_000_000;

/** What the cost model (docs/costs.md) says of the default stage, at list prices. */
export const costPart: Part = {
  name: 'cost',
  summary: 'cost at list prices',
  quick: false,
  async run() {
    const measured = readMeasured();
    const dev = deployedOf('dev');
    const bill = (requests: number) => billOf(monthOf(dev, measured, requests)).list;
    const idle = bill(0);
    return [
      { part: 'cost', unit: 'USD', what: 'idle, a month', ours: idle, goal: { most: 10 } },
      {
        part: 'cost',
        unit: 'USD',
        what: 'a million requests, at 10 million a month',
        ours: (bill(10 * MILLION) - idle) / 10,
        goal: { most: 8 },
        note: `measured on ${measured.date}`,
      },
    ];
  },
};
