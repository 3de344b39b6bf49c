import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../packages/client/src/budget.ts';
import { FakeTiming } from './support/fake-service.ts';

function budgetOf(limit: number) {
  const timing = new FakeTiming();
  return { timing, budget: new Budget(limit, timing) };
}

describe('Budget', () => {
  it('allows at most its limit in any 60 seconds', async () => {
    const { timing, budget } = budgetOf(60);
    const times: number[] = [];
    for (let n = 0; n < 200; n++) {
      await budget.take();
      times.push(timing.now());
      timing.pass(700);
    }
    for (const start of times) {
      expect(times.filter((time) => time >= start && time < start + 60_000).length).toBeLessThanOrEqual(60);
    }
  });

  it('waits no longer than until the oldest request is 60 seconds old', async () => {
    const { timing, budget } = budgetOf(2);
    await budget.take();
    timing.pass(10_000);
    await budget.take();
    expect(budget.left).toBe(0);
    await budget.take();
    expect(timing.slept).toEqual([50_000]);
  });

  it('allows nothing while it is blocked, and a shorter block does not end a longer one', async () => {
    const { timing, budget } = budgetOf(60);
    budget.block(5_000);
    budget.block(1_000);
    expect(budget.left).toBe(0);
    await budget.take();
    expect(timing.slept).toEqual([5_000]);
  });

  it('is blocked for at most two minutes, whatever a response says', async () => {
    const { timing, budget } = budgetOf(60);
    budget.observe('"per-ip";r=0;t=999999999');
    await budget.take();
    expect(timing.slept).toEqual([120_000]);
  });

  it.each([
    ['"per-ip";r=0;t=20', 0],
    ['"per-ip";r=1;t=20', 60],
    [null, 60],
  ])('leaves with the header %s %d requests', (header, left) => {
    const { budget } = budgetOf(60);
    budget.observe(header);
    expect(budget.left).toBe(left);
  });

  it('stops waiting when the signal is aborted', async () => {
    const { budget } = budgetOf(1);
    await budget.take();
    await expect(budget.take(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
