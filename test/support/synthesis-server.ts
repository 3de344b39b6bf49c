/**
 * Runs what needs the CDK for the test files of one run, in one process: the library is loaded once instead of once
 * for each file, and a stage that several files look at is synthesised once. Started by jest-global-setup.js.
 *
 * A request is a file `<key>.request` with a call of cdk-calls.ts; its response is `<key>.json` (see cdk-process.ts).
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CdkCalls } from './cdk-calls.ts';

const POLL_MS = 10;
const [, , folder = ''] = process.argv;

interface Call {
  readonly name: keyof CdkCalls;
  readonly argument: never;
}

async function respond(name: string): Promise<void> {
  const request = join(folder, name);
  const call: Call = JSON.parse(readFileSync(request, 'utf8'));
  const response = join(folder, name.replace(/request$/, 'json'));
  writeFileSync(`${response}.writing`, JSON.stringify(await resultOf(call)));
  renameSync(`${response}.writing`, response);
  rmSync(request);
}

async function resultOf({ name, argument }: Call): Promise<unknown> {
  try {
    const { CDK_CALLS } = await import('./cdk-calls.ts');
    return { result: await CDK_CALLS[name](argument) };
  } catch (error) {
    return { error: error instanceof Error ? error.stack : String(error) };
  }
}

// The test run keeps the pipe open; whatever ends it, this process ends, too.
process.stdin.resume().once('end', () => process.exit());

for (;;) {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.request'))) await respond(name);
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
