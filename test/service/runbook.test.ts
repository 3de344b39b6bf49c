import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filledIn, runbookCommands } from '../support/runbook-commands.ts';
import { TestService } from './support/test-service.ts';

const run = promisify(execFile);
/** What the runbook says that each command shows. */
const SHOWS: readonly (readonly [command: RegExp, shows: RegExp])[] = [
  [/api\/status/, /^HTTP\/1\.1 200 OK\r\n[^{]*\{"status":"ok",.*"ageSeconds":[\d.]+,.*"version":"/s],
  [/gamma-api/, /^200\n$/],
  [/clob/, /^"OK"\s*$/],
];

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.service.refresh();
}, 150_000);
afterAll(() => service?.close());

describe('the commands of the runbook for what is behind the front door and for Polymarket', () => {
  const commands = runbookCommands('npm start');

  it('are all there', () => {
    for (const [pattern] of SHOWS)
      expect(commands.filter((command) => pattern.test(command))).toHaveLength(1);
    expect(commands).toHaveLength(SHOWS.length);
  });

  it.each(commands)('%s', async (command) => {
    const text = filledIn(command, {
      '<BaseUrl>': service.service.url,
      'https://gamma-api.polymarket.com': service.upstream.url,
      'https://clob.polymarket.com': service.upstream.url,
    });
    const { stdout } = await run('bash', ['-c', text]);
    expect(stdout).toMatch(SHOWS.find(([pattern]) => pattern.test(command))?.[1] ?? /^nothing$/);
  });
});
