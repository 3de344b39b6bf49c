/**
 * `npm run test:deploy`: the real `cdk bootstrap`, `deploy` and `destroy` against MiniStack, an
 * emulator of AWS, with a simulated Polymarket. Nothing here can reach AWS. A first deployment
 * fails and is repeated, callers use the stage, its settings change, a production stage is deployed
 * beside it and archives a day, and both are deleted (`runAllSteps`).
 */
import { ok } from 'node:assert/strict';
import { startSimulator } from '../../local/simulator/index.ts';
import { readArguments } from '../../tools/arguments.ts';
import { DeployedArchive, type Outputs } from './archive.ts';
import { checkEndpoints, checkKeys, isOk, seeBothKinds, statusWhen } from './checks.ts';
import { Emulator } from './emulator.ts';
import { inventory } from './inventory.ts';
import { Stages } from './stages.ts';
import { viewerSide } from './viewer.ts';

/** The markets of the simulated Polymarket, and those that the stage reads after an update. */
const MARKETS = 300;
const FEWER_MARKETS = 200;
/** From the start of a run by hand to a status that callers get. */
const FIRST_RUN_SECONDS = 60;
// Lines of the inventory. A stage leaves a role behind, as docs/deployment.md says, because other
// APIs may use it. A failed first deployment leaves an empty stack.
const LOGGING_ROLE = /^iam list_roles .*CloudWatchRole/;
const EMPTY_STACK = /^cloudformation list_stacks /;

const USAGE = `Usage: npm run test:deploy

Deploys to MiniStack, an emulator of AWS. Needs Python. Nothing can reach AWS.`;

readArguments(USAGE, {});
const emulator = await Emulator.start();
const upstream = await startSimulator({ markets: MARKETS, lifecycle: false });
const stages = new Stages(emulator);
let failed = false;

/** Does a part of the test, and prints its name, its time, and the text that it returns. */
async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    const result = await work();
    const detail = typeof result === 'string' ? `: ${result}` : '';
    console.log(`✓ ${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)${detail}`);
    return result;
  } catch (error) {
    failed = true;
    console.log(`✗ ${name}: ${(error as Error).message}`);
    throw error;
  }
}

async function runAllSteps(): Promise<void> {
  const common = ['-c', 'alarmEmail=on-call@example.com', '-c', `upstreamUrl=${upstream.url}`];
  await step('cdk bootstrap', () => stages.bootstrap());
  const empty = await inventory(emulator);
  await step('a first deployment that fails leaves an empty stack', async () => {
    await stages.failToDeploy(common);
    await requireNothingSince(empty, EMPTY_STACK);
    return 'the next one replaces it';
  });
  const outputs = await step('cdk deploy, with a web ACL', () =>
    stages.deploy('dev', [...common, '-c', 'webAcl=true']),
  );
  const viewer = await viewerSide(emulator.endpoint, outputs.DistributionDomainName ?? '');
  try {
    await step('a run by hand brings the first snapshot', async () => {
      const invocation = { FunctionName: outputs.RefresherName, InvocationType: 'Event' };
      await emulator.call('lambda', 'invoke', invocation);
      await statusWhen(viewer.url, isOk, FIRST_RUN_SECONDS);
    });
    await step('the API needs a key', async () => {
      await checkKeys(emulator, outputs, '/api/markets');
    });
    // The schedules take minutes, so the other steps do not wait for them.
    const checks = await Promise.allSettled([
      step('both schedules publish', () => seeBothKinds(viewer.url)),
      useChangeAndAddProduction(viewer.url, common, outputs),
    ]);
    for (const check of checks) if (check.status === 'rejected') throw check.reason;
    await step('the first stage still responds', () => statusWhen(viewer.url, isOk, 5));
    await step('cdk destroy', () => stages.destroy('dev'));
    await step('nothing remains but the logging role of the account', () =>
      requireNothingSince(empty, LOGGING_ROLE),
    );
  } finally {
    viewer.close();
  }
}

/** Calls the stage, changes its settings, and deploys a production stage beside it. */
async function useChangeAndAddProduction(
  url: string,
  common: readonly string[],
  outputs: Outputs,
): Promise<void> {
  await step('callers get every endpoint and the page through CloudFront', () =>
    checkEndpoints(url),
  );
  await step('a changed setting, and no web ACL any more', () => update(common, outputs));
  await productionStage(common);
}

/** @throws Error if resources were added to those before, except those of a name */
async function requireNothingSince(before: ReadonlySet<string>, except: RegExp): Promise<void> {
  const left = (await stages.addedSince(before)).filter((resource) => !except.test(resource));
  ok(left.length === 0, `remains: ${left.join(', ')}`);
}

/** An update keeps the addresses. Without the setting it deletes the web ACL. */
async function update(settings: readonly string[], before: Outputs): Promise<string> {
  const after = await stages.deploy('dev', [...settings, '-c', `maxMarkets=${FEWER_MARKETS}`]);
  ok(after.BaseUrl === before.BaseUrl, 'the address of the front door has changed');
  ok(after.ApiUrl === before.ApiUrl, 'the address of the API has changed');
  const refresher = { FunctionName: after.RefresherName };
  const { Environment } = await emulator.call('lambda', 'get_function_configuration', refresher);
  const { Variables } = Environment as { readonly Variables: Readonly<Record<string, string>> };
  const { MAX_MARKETS } = Variables;
  ok(MAX_MARKETS === String(FEWER_MARKETS), `the refresher reads ${MAX_MARKETS} markets`);
  return 'the addresses stay';
}

/**
 * A production stage beside the first one. It changes nothing of the first one, and its deletion
 * leaves what the documents say.
 */
async function productionStage(settings: readonly string[]): Promise<void> {
  const before = await inventory(emulator);
  const outputs = await step('a production stage is deployed beside it', () =>
    stages.deploy('prod', settings),
  );
  const added = await stages.addedSince(before);
  const archive = new DeployedArchive(emulator, outputs);
  await step('the job of the production stage archives a day', async () => {
    const served = (id: string) =>
      checkKeys(emulator, outputs, `/api/markets?snapshot=${id}&fields=all`);
    return await archive.check(served);
  });
  await step('its deletion leaves the archive and the logging role of the account', async () => {
    const files = await archive.paths();
    await stages.unprotect('prod');
    await stages.destroy('prod');
    const after = await inventory(emulator);
    const gone = [...before].filter((resource) => !after.has(resource));
    ok(gone.length === 0, `the first stage has lost ${gone.join(', ')}`);
    const left = [...after].filter((resource) => !before.has(resource));
    const bucket = `s3 list_buckets ${outputs.ArchiveBucket}`;
    const isAsDocumented =
      left.length === 2 && left.includes(bucket) && left.some((one) => LOGGING_ROLE.test(one));
    ok(isAsDocumented, `remains: ${left.join(', ')}`);
    ok((await archive.paths()).join() === files.join(), 'files of the archive are lost');
    await archive.remove();
    return `${added.length} resources came and went`;
  });
}

async function endOnSignal(): Promise<never> {
  await Promise.allSettled([emulator.stop(), upstream.stop()]);
  process.exit(1);
}
process.once('SIGINT', endOnSignal).once('SIGTERM', endOnSignal);
const started = performance.now();
try {
  await runAllSteps();
} catch (error) {
  if (!failed) console.log(`✗ ${(error as Error).stack}`);
  failed = true;
  console.log(`\nThe end of the emulator's log:\n${await emulator.log()}`);
} finally {
  await emulator.stop();
  await upstream.stop();
}
const seconds = Math.round((performance.now() - started) / 1_000);
console.log(`\ndeploy: ${failed ? 'failed' : 'passed'} in ${seconds} s`);
process.exitCode = failed ? 1 : 0;
