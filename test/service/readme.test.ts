import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestService } from './support/test-service.ts';

const run = promisify(execFile);
const BASE = 'http://127.0.0.1:3000';

/** The examples of the README: a curl command and, as a comment behind it, the status it is answered with. */
const EXAMPLES = [...readFileSync('README.md', 'utf8').matchAll(/^(curl .*?) +# (\d{3})$/gm)].map(
  ([, command = '', status = '']) => [command, status] as const,
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
}, 120_000);
afterAll(() => service?.close());

describe('the README', () => {
  it('has examples of every endpoint', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(14);
  });

  it.each(EXAMPLES)('%s is answered with %s', async (command, status) => {
    const script = `${command.replace(BASE, service.service.url)} -o /dev/null -w '%{http_code}'`;
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, TOKEN: token } });
    expect(stdout).toBe(status);
  });
});
