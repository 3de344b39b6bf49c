import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SimulatedUpstream } from 'polymarket-simulator';
import { ERRORS } from '../../lambda/contract/errors.ts';
import type { Status } from '../../lambda/endpoints/get-status.ts';
import { pythonWith } from '../../tools/checks/python-tool.ts';
import { Deployment, pathOf } from '../../tools/smoke/deployment.ts';
import { runChecks } from '../../tools/smoke/run-checks.ts';
import { BEYOND_EMULATOR, UNKNOWN_RESOURCES } from './beyond-emulator.ts';
import { Cdk, type Context } from './cdk.ts';
import type { Commands } from './commands.ts';
import { DeployedApi } from './deployed-api.ts';
import { Emulator } from './emulator.ts';
import { inventory, summaryOf } from './leftovers.ts';
import type { Report } from './report.ts';
import { Runbook } from './runbook.ts';
import { ACCOUNT, REGION, type Sandbox } from './sandbox.ts';

/** Fewer would leave no minute between two full runs, and so no schedule of the prices. */
const REFRESH_MINUTES = 2;
/** The emulator looks at its schedules every 10 s. */
const SCHEDULED_WITHIN_SECONDS = REFRESH_MINUTES * 60 + 30;
/** Of a minute: runs begin in the first ten, and to destroy takes half of it on a busy machine. */
const RUN_OVER_BY_SECOND = 15;
const DESTROY_BY_SECOND = 25;
/** More than half of the simulated markets, so that the smaller snapshot is published at once. */
const FEWER_MARKETS = 200;

export interface DeployTestOptions {
  readonly sandbox: Sandbox;
  readonly commands: Commands;
  readonly upstream: SimulatedUpstream;
  readonly report: Report;
}

/** A deployment's life, from an empty account to an empty account. @throws at the first step that others need */
export async function deployTest({ sandbox, commands, upstream, report }: DeployTestOptions): Promise<void> {
  // Before everything else, since the steps below have time limits that an install would not keep.
  await report.step('MiniStack and the AWS CLI are installed', () =>
    Promise.all([pythonWith('ministack'), pythonWith('awscli')]),
  );
  const emulator = new Emulator(sandbox, commands, await pythonWith('ministack'));
  const cdk = new Cdk(sandbox, commands);
  const context: Context = {
    edge: false,
    refreshMinutes: REFRESH_MINUTES,
    gammaUrl: upstream.url,
    clobUrl: upstream.url,
    dataUrl: upstream.url,
  };

  await report.step('MiniStack starts', () => emulator.start());
  await report.step('MiniStack enforces IAM policies', () => ensurePoliciesAct(emulator));
  await report.step('cdk bootstrap', async () => {
    await cdk.bootstrap();
    // The toolkit's bucket refuses calls without TLS, and the emulator speaks plain HTTP.
    const Bucket = `cdk-hnb659fds-assets-${ACCOUNT}-${REGION}`;
    await emulator.call('s3', 'delete_bucket_policy', { Bucket });
  });
  const outputs = await report.step('cdk deploy', () => cdk.deploy(context));
  const api = await DeployedApi.of(outputs, sandbox.endpoint, emulator);
  const runbook = new Runbook({
    emulator,
    sandbox,
    commands,
    report,
    outputs,
    apiUrl: api.base.href,
    upstream: upstream.url,
  });

  const first = await report.step('the deployment itself brings the first snapshot', () =>
    api.statusWhen(({ status }) => status === 'ok', 30),
  );
  await report.step('nobody calls the API without a key', async () => {
    const { status, json } = await api.anonymously(pathOf('list-markets'));
    ensure(status === ERRORS.missing_api_key.status, `responded with ${status} ${JSON.stringify(json)}`);
  });
  await contract(api, report);
  for (const [type, reason] of Object.entries(UNKNOWN_RESOURCES)) report.skipped(type, reason);
  // Each is seen to its end: what the failure of one would cut off should not look like a failure of its own.
  const bothEnded = await Promise.allSettled([
    report.step('the schedules bring snapshots by themselves, of new prices and of all', async () => {
      const seen = [first];
      await api.statusWhen((status) => {
        if (status.snapshot !== seen.at(-1)?.snapshot) seen.push(status);
        return ['prices', 'full'].every((kind) => kindsOf(seen).includes(kind));
      }, SCHEDULED_WITHIN_SECONDS);
      return `${first.snapshot}, then ${kindsOf(seen).join(', then ')}`;
    }),
    report
      .step("the store's tests pass on MiniStack's DynamoDB, with expiry", () =>
        storeTests(sandbox, commands),
      )
      .then(() => runbook.lookAround(context)),
  ]);
  for (const ended of bothEnded) if (ended.status === 'rejected') throw ended.reason;
  await report.step(`the runbook's deployment of a change: at most ${FEWER_MARKETS} markets`, async () => {
    ensure((first.markets ?? 0) > FEWER_MARKETS, `there were ${first.markets} markets before`);
    await runbook.deploy({ ...context, maxMarkets: FEWER_MARKETS });
    const { markets } = await api.statusWhen(({ markets }) => markets === FEWER_MARKETS, 30);
    return `${first.markets} markets before, ${markets} now`;
  });
  const made = await inventory(emulator);
  await betweenRuns();
  await report.step('cdk destroy', () => cdk.destroy(context).then(() => summaryOf(made)));
  await report.step('nothing is left', async () => {
    const left = await inventory(emulator);
    const found = [...left.values()].flat();
    ensure(found.length === 0, found.join(', '));
  });
}

/**
 * Until the run of this minute is over and the next is far: the emulator makes a log group again for a run that writes a
 * line after it is gone. In AWS no function may.
 */
async function betweenRuns(): Promise<void> {
  const second = (Date.now() / 1_000) % 60;
  if (second < RUN_OVER_BY_SECOND) await wait((RUN_OVER_BY_SECOND - second) * 1_000);
  if (second > DESTROY_BY_SECOND) await wait((60 + RUN_OVER_BY_SECOND - second) * 1_000);
}

/** Which kind of run brought each snapshot but the first: one of the prices keeps the catalogue of the one before. */
function kindsOf(snapshots: readonly Status[]): string[] {
  return snapshots
    .slice(1)
    .map(({ catalogueAsOf }, n) => (catalogueAsOf === snapshots[n]?.catalogueAsOf ? 'prices' : 'full'));
}

/** A user without any policy may do nothing; were it otherwise, the functions' policies would not be tested. */
async function ensurePoliciesAct(emulator: Emulator): Promise<void> {
  const UserName = 'nobody';
  await emulator.call('iam', 'create_user', { UserName });
  const { AccessKey } = await emulator.call<{ AccessKey: { AccessKeyId: string; SecretAccessKey: string } }>(
    'iam',
    'create_access_key',
    { UserName },
  );
  const { AccessKeyId: id, SecretAccessKey: secret } = AccessKey;
  const parameters = {};
  const call = { service: 'dynamodb', operation: 'list_tables', parameters, credentials: { id, secret } };
  const [response] = await emulator.calls([call]);
  ensure(response !== undefined && 'error' in response, 'a user without a policy may list tables');
}

/** The smoke test's checks; those that the emulator cannot pass are named, with the reason. */
async function contract(api: DeployedApi, report: Report): Promise<void> {
  const results = await runChecks(new Deployment(api.client));
  for (const { name, outcome, detail } of results) {
    const reason = BEYOND_EMULATOR[name];
    if (reason === undefined) {
      if (outcome === 'passed') report.passed(`${name}: ${detail}`);
      else report.failure(name, detail);
    } else if (outcome === 'passed') {
      report.failure(name, 'passes now; take it off the list in beyond-emulator.ts');
    } else {
      report.skipped(name, reason);
    }
  }
}

/** The tests of the stores that `npm test` runs on the embedded DynamoDB, and that of what only an emulator does. */
const STORE_TESTS = [
  'test/unit/lambda/rate-limit/request-log.test.ts',
  'test/unit/lambda/rate-limit/window-rate-limiter.test.ts',
  'test/unit/lambda/snapshots/snapshot-writer.expiry.test.ts',
  'test/unit/lambda/snapshots/snapshot-writer.store.test.ts',
];

/** @returns jest's closing line */
async function storeTests(sandbox: Sandbox, commands: Commands): Promise<string> {
  const gone = STORE_TESTS.filter((file) => !existsSync(file));
  ensure(gone.length === 0, `There is no ${gone.join(', no ')}`);
  const environment = { ...sandbox.environment, DYNAMODB_ENDPOINT: sandbox.endpoint };
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const output = await commands.run('node', [...jest, '--runTestsByPath', ...STORE_TESTS], { environment });
  const closing = output.trim().split('\n').at(-1) ?? '';
  // That of the expiry is skipped on the embedded DynamoDB: with none skipped, these were run on the emulator's.
  ensure(/ 0 skipped$/.test(closing), `jest closed with "${closing}"`);
  return closing;
}

function ensure(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise);
}

/** A port that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
