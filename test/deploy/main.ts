/**
 * `npm run test:deploy`: the real `cdk bootstrap`, `deploy` and `destroy` against MiniStack, an
 * emulator of AWS, with the simulated upstream. A first deployment fails and is repeated, with a
 * web ACL. Then it calls the service through the emulated CloudFront, changes
 * settings, deploys a production stage beside it, and lets that archive a day. Nothing here can
 * reach AWS.
 */
import { ok } from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FromSchemaNamed } from '../../lambda/core/contract/schemas.ts';
import { startSimulator } from '../../local/simulator/index.ts';
import { readArguments } from '../../tools/arguments.ts';
import { smoke } from '../../tools/smoke.ts';
import { DeployedArchive, type Outputs } from './archive.ts';
import { ACCOUNT, Emulator, REGION, viewerSide } from './emulator.ts';
import { inventory } from './inventory.ts';

type Status = FromSchemaNamed<'Status'>;

const MARKETS = 300;
const FEWER_MARKETS = 200;
const FIRST_RUN_SECONDS = 60;
const BOTH_KINDS_SECONDS = 150;
/** An address may make 60 requests a minute, also to the status. */
const POLL_SECONDS = 5;
/**
 * Runs begin in the first seconds of a minute. A check of a front door that does not respond ends
 * 20 s later.
 */
const RUN_ENDS_AT_SECOND = 30;
const DESTROY_UNTIL_SECOND = 45;
/** A production stage leaves it behind, as docs/deployment.md says: other APIs may use it. */
const LOGGING_ROLE = /^iam list_roles .*CloudWatchRole/;

const USAGE = `Usage: npm run test:deploy

Deploys to MiniStack, an emulator of AWS. Needs Python. Nothing can reach AWS.`;

readArguments(USAGE, {});
const emulator = await Emulator.start();
const upstream = await startSimulator({ markets: MARKETS, lifecycle: false });
let failed = false;

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

async function cdk(...args: readonly string[]): Promise<void> {
  await emulator.run('npx', ['cdk', ...args, '--no-notices']);
}

/** Where the CDK leaves the templates of a stage. */
const templatesOf = (stage: string): string => join(emulator.folder, `cdk.out-${stage}`);

async function deploy(stage: string, settings: readonly string[]): Promise<Outputs> {
  const outputs = join(emulator.folder, 'outputs.json');
  const files = ['--output', templatesOf(stage), '--outputs-file', outputs];
  await cdk('deploy', '--require-approval', 'never', ...files, '-c', `stage=${stage}`, ...settings);
  const stacks = JSON.parse(await readFile(outputs, 'utf8'));
  return stacks[`market-data-proxy-${stage}`];
}

/** Deletes what `deploy` has deployed last, between two runs. */
async function destroy(stage: string): Promise<void> {
  await betweenRuns();
  await cdk('destroy', '--force', '--app', templatesOf(stage));
}

/** The resources that the account has beside those of `before`. */
async function addedSince(before: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  return new Set([...(await inventory(emulator))].filter((resource) => !before.has(resource)));
}

/** Reads the status until it is as expected. */
async function statusWhen(
  url: string,
  expected: (status: Status) => boolean,
  seconds: number,
): Promise<Status> {
  let last = '';
  for (let waited = 0; waited < seconds; waited += POLL_SECONDS) {
    const response = await fetch(`${url}/api/status`);
    last = `${response.status} ${await response.text()}`;
    if (response.ok && expected(JSON.parse(last.slice(4)))) return JSON.parse(last.slice(4));
    await sleep(POLL_SECONDS * 1_000);
  }
  throw new Error(`after ${seconds} s the status is ${last}`);
}

/**
 * The emulator creates a log group again if a run writes a line after the group was deleted. AWS
 * does not.
 */
async function betweenRuns(): Promise<void> {
  const second = (Date.now() / 1_000) % 60;
  if (second < RUN_ENDS_AT_SECOND) await sleep((RUN_ENDS_AT_SECOND - second) * 1_000);
  if (second > DESTROY_UNTIL_SECOND) await sleep((60 + RUN_ENDS_AT_SECOND - second) * 1_000);
}

async function bootstrap(): Promise<void> {
  const templates = ['--output', templatesOf('bootstrap')];
  await cdk('bootstrap', `aws://${ACCOUNT}/${REGION}`, ...templates);
  // The bucket of the bootstrap rejects plain HTTP, which is all that the emulator speaks.
  const Bucket = `cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`;
  await emulator.call('s3', 'delete_bucket_policy', { Bucket });
}

/** Both kinds of run publish: a price run keeps the catalogue of the snapshot before. */
async function seeBothKinds(url: string): Promise<string> {
  const kinds = new Set<string>();
  let before = await statusWhen(url, ({ status }) => status === 'ok', 1);
  await statusWhen(
    url,
    (status) => {
      if (status.snapshot === before.snapshot) return false;
      kinds.add(status.catalogueAsOf === before.catalogueAsOf ? 'prices' : 'full');
      before = status;
      return kinds.size === 2;
    },
    BOTH_KINDS_SECONDS,
  );
  return [...kinds].join(', then ');
}

async function checkEndpoints(url: string): Promise<string> {
  const lines: string[] = [];
  await smoke([url], (line) => lines.push(line));
  const failures = lines.filter((line) => line.startsWith('FAILED'));
  ok(failures.length === 0, `\n${failures.join('\n')}`);
  return lines.at(-1) ?? '';
}

/** Calls the API of a stage without CloudFront. @returns what it responds with to the public key */
async function checkKeys(
  { ApiUrl = '', PublicApiKeyId = '' }: Outputs,
  path: string,
): Promise<unknown> {
  const { hostname, pathname } = new URL(ApiUrl);
  const base = `${emulator.endpoint}/_aws/execute-api/${hostname.split('.')[0]}${pathname.replace(/\/$/, '')}`;
  const anonymous = await fetch(`${base}${path}`);
  ok(anonymous.status === 403, `the API responds with ${anonymous.status} without a key`);
  const { value } = await emulator.call('apigateway', 'get_api_key', {
    apiKey: PublicApiKeyId,
    includeValue: true,
  });
  const withKey = await fetch(`${base}${path}`, { headers: { 'x-api-key': String(value) } });
  ok(withKey.status === 200, `the API responds with ${withKey.status} to the public key`);
  return await withKey.json();
}

/**
 * A template with a resource that the emulator cannot create: CloudFormation keeps an empty stack,
 * and nothing else remains.
 */
async function failFirstDeployment(
  settings: readonly string[],
  before: ReadonlySet<string>,
): Promise<string> {
  const templates = templatesOf('failed');
  await cdk('synth', '--quiet', '--output', templates, '-c', 'stage=dev', ...settings);
  const file = join(templates, 'MarketDataProxy.template.json');
  const template = JSON.parse(await readFile(file, 'utf8'));
  template.Resources.Broken = { Type: 'AWS::None::Existing' };
  await writeFile(file, JSON.stringify(template));
  const failure = await cdk('deploy', '--require-approval', 'never', '--app', templates).then(
    () => undefined,
    (error: Error) => error.message,
  );
  ok(failure !== undefined, 'the broken template is deployed');
  const left = [...(await addedSince(before))].filter(
    (one) => !/list_stacks|list_objects/.test(one),
  );
  ok(left.length === 0, left.join(', '));
  return 'the next one replaces it';
}

/** An update keeps the addresses, and without the setting it deletes the web ACL. */
async function update(settings: readonly string[], before: Outputs): Promise<string> {
  const after = await deploy('dev', [...settings, '-c', `maxMarkets=${FEWER_MARKETS}`]);
  ok(after.BaseUrl === before.BaseUrl, 'the address of the front door has changed');
  ok(after.ApiUrl === before.ApiUrl, 'the address of the API has changed');
  const refresher = { FunctionName: after.RefresherName };
  const { Environment } = await emulator.call('lambda', 'get_function_configuration', refresher);
  const { Variables } = Environment as { readonly Variables: Readonly<Record<string, string>> };
  ok(
    Variables.MAX_MARKETS === String(FEWER_MARKETS),
    `the refresher reads ${Variables.MAX_MARKETS} markets`,
  );
  return 'the addresses stay';
}

/**
 * A production stage beside the first one: it changes nothing of it, and its deletion leaves what
 * the documents say.
 */
async function productionStage(settings: readonly string[]): Promise<void> {
  const before = await inventory(emulator);
  const outputs = await step('a production stage is deployed beside it', () =>
    deploy('prod', settings),
  );
  const added = await addedSince(before);
  const archive = new DeployedArchive(emulator, outputs);
  await step('the job of the production stage archives a day', async () => {
    const served = (id: string) => checkKeys(outputs, `/api/markets?snapshot=${id}&fields=all`);
    return await archive.check(served);
  });
  await step('its deletion leaves the archive and the logging role of the account', async () => {
    const files = await archive.paths();
    await unprotect();
    await destroy('prod');
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
    return `${added.size} resources came and went`;
  });
}

/** A production stack is protected against deletion; a person ends that. */
async function unprotect(): Promise<void> {
  const StackName = 'market-data-proxy-prod';
  const { Stacks } = await emulator.call('cloudformation', 'describe_stacks', { StackName });
  const [stack] = Stacks as readonly { readonly EnableTerminationProtection?: boolean }[];
  ok(stack?.EnableTerminationProtection === true, `${StackName} is not protected against deletion`);
  const unprotected = { StackName, EnableTerminationProtection: false };
  await emulator.call('cloudformation', 'update_termination_protection', unprotected);
}

async function live(): Promise<void> {
  const common = ['-c', 'alarmEmail=on-call@example.com', '-c', `upstreamUrl=${upstream.url}`];
  await step('cdk bootstrap', bootstrap);
  const empty = await inventory(emulator);
  await step('a first deployment that fails leaves an empty stack', () =>
    failFirstDeployment(common, empty),
  );
  const settings = [...common, '-c', 'webAcl=true'];
  const outputs = await step('cdk deploy', () => deploy('dev', settings));
  const viewer = await viewerSide(emulator.endpoint, outputs.DistributionDomainName ?? '');
  try {
    await step('a run by hand brings the first snapshot', async () => {
      const invocation = { FunctionName: outputs.RefresherName, InvocationType: 'Event' };
      await emulator.call('lambda', 'invoke', invocation);
      await statusWhen(viewer.url, ({ status }) => status === 'ok', FIRST_RUN_SECONDS);
    });
    await step('the API needs a key', async () => void (await checkKeys(outputs, '/api/markets')));
    const checks = await Promise.allSettled([
      step('both schedules publish', () => seeBothKinds(viewer.url)),
      (async () => {
        await step('callers get every endpoint and the page through CloudFront', () =>
          checkEndpoints(viewer.url),
        );
        await step('a changed setting, and no web ACL any more', () => update(common, outputs));
        await productionStage(common);
      })(),
    ]);
    for (const check of checks) if (check.status === 'rejected') throw check.reason;
    await step('the first stage still responds', () =>
      statusWhen(viewer.url, ({ status }) => status === 'ok', 5),
    );
    await step('cdk destroy', () => destroy('dev'));
    await step('nothing remains but the logging role of the account', async () => {
      const left = [...(await addedSince(empty))].filter(
        (resource) => !LOGGING_ROLE.test(resource),
      );
      ok(left.length === 0, left.join(', '));
    });
  } finally {
    viewer.close();
  }
}

const ends = (): void =>
  void Promise.allSettled([emulator.stop(), upstream.stop()]).then(() => process.exit(1));
process.once('SIGINT', ends).once('SIGTERM', ends);
const started = performance.now();
try {
  await live();
} catch (error) {
  if (!failed) console.log(`✗ ${(error as Error).stack}`);
  failed = true;
  console.log(`\nThe end of the emulator's log:\n${await emulator.log()}`);
} finally {
  await emulator.stop();
  await upstream.stop();
}
console.log(
  `\ndeploy: ${failed ? 'failed' : 'passed'} in ${Math.round((performance.now() - started) / 1_000)} s`,
);
process.exitCode = failed ? 1 : 0;
