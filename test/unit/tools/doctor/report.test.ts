import { expect, it } from '@jest/globals';
import { report } from '../../../../tools/doctor/report.ts';

it('the report tells fact, grade, what was seen, verdict and meaning, and nothing that a terminal obeys', () => {
  const text = report({
    calls: 2,
    durationMs: 1_250,
    verdict: 'degraded',
    facts: [
      {
        upstream: 'gamma',
        fact: 'is there',
        grade: 'A',
        severity: 'stops',
        verdict: 'holds',
        seen: '100 markets',
      },
      {
        upstream: 'clob',
        fact: 'gives books',
        grade: 'B',
        severity: 'degrades',
        verdict: 'changed',
        seen: '\u001b[2J418\nteapot',
        meaning: 'order books are 502',
      },
      {
        upstream: 'data',
        fact: 'agrees',
        grade: 'C',
        severity: 'note',
        verdict: 'untested',
        seen: 'x'.repeat(200),
      },
    ],
  });
  const lines = text.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '));
  expect(lines.slice(0, 3)).toEqual([
    'fact | grade | seen | verdict | meaning',
    'gamma: is there | A | 100 markets | holds',
    'clob: gives books | B | [2J418 teapot | CHANGED | order books are 502',
  ]);
  expect(lines[3]).toMatch(/^data: agrees \| C \| x{69}… \| untested$/);
  expect(lines.at(-1)).toBe(
    'doctor: 1 hold, 1 changed, 1 untested (2 calls, 1.3 s). Something of the service would be worse or missing.',
  );
});
