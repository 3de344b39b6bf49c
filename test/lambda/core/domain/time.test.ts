import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import {
  ageSeconds,
  cacheableSeconds,
  expirySeconds,
  isServable,
  toUnixMs,
  toUnixSeconds,
} from '../../../../lambda/core/domain/time.ts';

describe('a time', () => {
  it('becomes the last whole second that is not later', () => {
    expect([1_999, 2_000].map(toUnixSeconds)).toEqual([1, 2]);
    expect(toUnixMs(1_795_000_000)).toBe(1_795_000_000_000);
  });

  it('is in the TTL of an item no second too early', () => {
    expect(expirySeconds(1_000, 60_000)).toBe(61);
    expect(expirySeconds(1_001, 60_000)).toBe(62);
  });
});

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('freshness', () => {
  it.each([
    [NOW - 1_500, 1.5],
    [NOW, 0],
    [NOW + 30_000, 0],
    [NOW + 30_001, Number.POSITIVE_INFINITY],
  ])('the age of data from %i is %d s: a clock may be ahead by 30 s', (asOf, age) => {
    expect(ageSeconds(asOf, NOW)).toBe(age);
  });

  it.each([
    [0, true, 120],
    [0.5, true, 119],
    [119.5, true, 0],
    [120, true, 0],
    [150, true, 0],
    [150.001, false, 0],
    [Number.POSITIVE_INFINITY, false, 0],
  ])('data of %d s: served %s, kept by caches for %i s', (age, served, seconds) => {
    expect(isServable(age)).toBe(served);
    expect(cacheableSeconds(age)).toBe(seconds);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'market-data-proxy-time-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PRELUDE = `
import { baseline } from '${resolve('lambda/core/domain/change.ts')}';
import { ageSeconds } from '${resolve('lambda/core/domain/time.ts')}';
import { historyPlan } from '${resolve('lambda/core/domain/history-plan.ts')}';
import { snapshotId } from '${resolve('lambda/core/domain/snapshot.ts')}';
import { toUnixSeconds, toUnixMs, type UnixMs, type UnixSeconds } from '${resolve('lambda/core/domain/time.ts')}';
import type { Backfill } from '${resolve('lambda/app/refresh/backfill.ts')}';
import { type RefreshDependencies, runRefresh } from '${resolve('lambda/app/refresh/refresh.ts')}';
import { withTimeout, type Clock } from '${resolve('lambda/io/platform/clock.ts')}';
declare const ms: UnixMs;
declare const seconds: UnixSeconds;
declare const backfill: Backfill;
declare const deps: RefreshDependencies;
declare const clock: Clock;
`;

/** The planted lines that do not compile. */
function refused(lines: readonly string[]): readonly string[] {
  writeFileSync(join(folder, 'planted.ts'), `${PRELUDE}${lines.join('\n')}\n`);
  const compilerOptions = { typeRoots: [resolve('node_modules/@types')], noUnusedLocals: false };
  const config = { extends: resolve('tsconfig.json'), compilerOptions, include: ['planted.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['--project', folder], { encoding: 'utf8' });
  const before = PRELUDE.split('\n').length - 1;
  const errors = [...stdout.matchAll(/^(.*)\((\d+),\d+\): error/gm)];
  expect(errors.filter(([, file]) => !file?.endsWith('planted.ts'))).toEqual([]);
  const numbers = new Set(errors.map(([, , line]) => Number(line) - before - 1));
  return lines.filter((_, n) => numbers.has(n));
}

it('the compiler refuses seconds in place of milliseconds and the reverse, and accepts sums', () => {
  const wrong = [
    "baseline([], seconds, 'oneDay');",
    'ageSeconds(seconds, ms);',
    'snapshotId(toUnixSeconds(ms), Math.random);',
    "backfill.startPrice('key', 'oneDay', seconds);",
    'void backfill.load(undefined, ms, seconds);',
    "backfill.recordHistory('day', 'key', { from: ms, until: seconds, points: [] });",
    "void runRefresh('full', deps, toUnixSeconds(clock.now()));",
    'historyPlan({ startTs: seconds }, clock.now());',
    'toUnixSeconds(seconds);',
    'toUnixMs(ms);',
  ];
  const right = [
    "baseline([], ms + 60_000, 'oneDay');",
    'historyPlan({ startTs: seconds - 60 }, toUnixSeconds(clock.now()));',
    'void withTimeout(clock, Math.min(ms, ms) - clock.now(), async () => undefined);',
  ];
  expect(refused([...wrong, ...right])).toEqual(wrong);
  // The compiler is a program of its own.
}, 60_000);

it('converts units in one file: no other file of lambda multiplies or divides by 1,000', () => {
  const conversion = /[*/] ?1_?000\b|\b1_?000 ?[*/]/;
  const files = readdirSync('lambda', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const converting = files.filter((file) => conversion.test(readFileSync(join('lambda', file), 'utf8')));
  // `values.ts` rounds to three decimals.
  expect(converting).toEqual(['core/domain/values.ts']);
});
