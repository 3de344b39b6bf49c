import { type Figure, isMeaningless } from './figure.ts';

/** A ratio this many times worse than the committed one is a regression; less may be the machine. */
export const WORSE = 1.5;

/** What has become worse than the committed results, in words; only ratios are compared. */
export function regressions(now: readonly Figure[], committed: readonly Figure[]): readonly string[] {
  return now.flatMap((figure) => {
    const before = committed.find((one) => one.part === figure.part && one.what === figure.what);
    if (figure.ratio === undefined || before?.ratio === undefined) return [];
    if (isMeaningless(figure) || isMeaningless(before)) return [];
    // Where a goal says "at least", more is better.
    const moreIsBetter = figure.goal?.least !== undefined;
    const worse = moreIsBetter ? before.ratio / figure.ratio : figure.ratio / before.ratio;
    // What the ratio differs by from one block of rounds to the next, it may differ by from one run to the next.
    const scatter = (figure.spread ?? 0) + (before.spread ?? 0);
    if (worse <= WORSE * (1 + scatter)) return [];
    const ratios = `${figure.ratio.toFixed(2)} × instead of ${before.ratio.toFixed(2)} ×`;
    return [`${figure.part}, ${figure.what}: ${ratios}, ${worse.toFixed(1)} times worse`];
  });
}
