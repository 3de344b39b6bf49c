import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { send, startStubUpstream } from '../support/stub-upstream.ts';

// Seconds on an idle machine.
jest.setTimeout(120_000);

const TEXT = readFileSync('docs/first-deployment.md', 'utf8');

const stub = await startStubUpstream();

it('the probe of docs/first-deployment.md counts the statuses of its calls', async () => {
  const { handler } = await import(resolve('docs/probe/index.mjs'));
  stub.reply(send('203.0.113.7\n'), send('203.0.113.7\n'), send('slow down', 429));
  expect(await handler({ url: stub.url, calls: 3 })).toEqual({
    statuses: { 200: 2, 429: 1 },
    text: 'slow down',
  });
});

it('docs/first-deployment.md has a line in the results for each of its steps', () => {
  const steps = Array.from(TEXT.matchAll(/^## (\d+)\. /gm), ([, step]) => step);
  const results = Array.from(TEXT.matchAll(/^ ?(\d+) .*:$/gm), ([, step]) => step);
  expect(steps).toEqual(Object.keys(steps).map((n) => String(Number(n) + 1)));
  expect(steps).not.toEqual([]);
  expect(results).toEqual(steps);
});
