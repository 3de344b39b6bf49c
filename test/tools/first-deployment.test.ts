/**
 * docs/first-deployment.md guides a person through the first deployment on AWS, in numbered steps
 * with a list of results to fill in. One step runs `docs/probe`, a function that calls an address
 * many times to see from which call on it is rejected.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { send, startStubUpstream } from '../support/stub-upstream.ts';

// These tests take seconds on an idle machine, and longer on a busy one.
jest.setTimeout(120_000);

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
  const text = readFileSync('docs/first-deployment.md', 'utf8');
  // Headings such as "## 3. Deploy", and lines of the results such as " 3 deployed after:".
  const steps = Array.from(text.matchAll(/^## (\d+)\. /gm), ([, step]) => Number(step));
  const results = Array.from(text.matchAll(/^ ?(\d+) .*:$/gm), ([, step]) => Number(step));
  expect(steps).toEqual(steps.map((_, n) => n + 1));
  expect(steps).not.toEqual([]);
  expect(results).toEqual(steps);
});
