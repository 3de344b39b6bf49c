/**
 * Synthesises stages for the test files of one run, in one process: the CDK library is loaded once instead of once
 * for each file, and a stage that several files look at is synthesised once. Started by jest-global-setup.js.
 *
 * A request is a file `<key>.request` with a context; its response is `<key>.json` (see synthesized-templates.ts).
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const POLL_MS = 10;
const [, , folder = ''] = process.argv;

async function respond(name: string): Promise<void> {
  const request = join(folder, name);
  const { context } = JSON.parse(readFileSync(request, 'utf8'));
  const response = join(folder, name.replace(/request$/, 'json'));
  writeFileSync(`${response}.writing`, JSON.stringify(await templates(context)));
  renameSync(`${response}.writing`, response);
  rmSync(request);
}

async function templates(context: Readonly<Record<string, unknown>>): Promise<unknown> {
  try {
    const { deployment } = await import('./app.ts');
    const { service, waf } = deployment(context);
    const assembly = service.node.root as import('aws-cdk-lib').App;
    const { stacks } = assembly.synth();
    const templateOf = (name?: string) => stacks.find(({ stackName }) => stackName === name)?.template;
    return { service: templateOf(service.stackName), waf: templateOf(waf?.stackName) };
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
