import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from './support/test-service.ts';

const run = promisify(execFile);
const BASE = 'http://127.0.0.1:3000';

/** The examples of the README: blocks of commands, and below each block the status of each curl in it. */
const BLOCKS = [
  ...readFileSync('README.md', 'utf8').matchAll(/^```sh\n([^`]+)```\n\nStatus: ([\d, ]+)\.$/gm),
].map(([, commands = '', statuses = '']) => ({
  commands: commands.trim().split('\n'),
  statuses: statuses.split(', '),
}));
const EXAMPLES = BLOCKS.flatMap(({ commands, statuses }) =>
  commands
    .filter((command) => command.startsWith('curl '))
    .map((command, index) => [command, statuses[index] ?? 'none'] as const),
);
const [TOKEN_COMMAND = ''] = BLOCKS.flatMap(({ commands }) =>
  commands.filter((command) => command.startsWith('TOKEN=')),
);

let service: TestService;
let token: string;

beforeAll(async () => {
  service = await TestService.start({
    upstream: { markets: 400 },
    environment: { REQUESTS_PER_MINUTE: 'off' },
  });
  await service.service.refresh();
  token = (await service.call('/api/markets?limit=1')).json[0].clobTokenId;
}, 150_000);
afterAll(() => service?.close());

describe('the README', () => {
  it('has examples of every endpoint', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(14);
  });

  it('says how to get a token', async () => {
    const script = `${TOKEN_COMMAND.replace(BASE, service.service.url)}; printf %s "$TOKEN"`;
    expect((await run('sh', ['-c', script])).stdout).toBe(token);
  });

  it('can be pasted into an interactive zsh: no comments behind commands', () => {
    expect(BLOCKS.flatMap(({ commands }) => commands).filter((command) => / #/.test(command))).toEqual([]);
  });

  it.each(EXAMPLES)('%s has the status %s', async (command, status) => {
    const script = `${command.replace(BASE, service.service.url)} -o /dev/null -w '%{http_code}'`;
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, TOKEN: token } });
    expect(stdout).toBe(status);
  });
});
