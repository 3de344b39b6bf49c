import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LocalService } from '../../../local/local-service.ts';
import { startService } from '../../../local/service.ts';
import type { LogEvent, RefreshOutcome } from '../../../local/service-events.ts';
import { BUNDLES, smallTemplate } from '../../../packages/cdk-local/test/small-service.ts';
import { testAssembly } from '../../../packages/cdk-local/test/test-assembly.ts';

const assembly = testAssembly(smallTemplate(), BUNDLES);
let service: LocalService;
const logs: LogEvent[] = [];
const metrics: unknown[] = [];

beforeAll(async () => {
  service = await startService({ assembly, schedule: false, environment: { LIMIT: 'off', NEW: 'x' } });
  service.on('log', (event) => logs.push(event)).on('metric', ({ data }) => metrics.push(data));
});
afterAll(async () => {
  await service.close();
  assembly.dispose();
});

describe('functions', () => {
  it('get the runtime environment, the template’s variables, overrides of these, and nothing else', async () => {
    process.env.ONLY_HERE = 'yes';
    const invocation = await service.invoke('echo', { invoked: true });
    const { env, context, remaining } = JSON.parse(invocation.ok ? invocation.payload : '{}');
    expect(env).toMatchObject({
      TABLE: 'test-Table',
      LIMIT: 'off',
      AWS_REGION: 'eu-west-1',
      AWS_LAMBDA_FUNCTION_NAME: 'test-Echo',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_ENDPOINT_URL_DYNAMODB: service.dynamodbUrl,
      _HANDLER: 'index.handler',
    });
    expect(env).not.toHaveProperty('NEW');
    expect(env).not.toHaveProperty('ONLY_HERE');
    expect(context).toMatchObject({
      awsRequestId: invocation.requestId,
      functionName: 'test-Echo',
      memoryLimitInMB: '256',
      invokedFunctionArn: 'arn:aws:lambda:eu-west-1:111122223333:function:test-Echo',
    });
    expect(remaining).toBeGreaterThan(500);
    expect(remaining).toBeLessThanOrEqual(1_000);
  });

  it('that run out of time give the gateway’s error', async () => {
    const response = await fetch(`${service.url}/things?sleep=2000`);
    expect(response.status).toBe(500);
    expect(logs.at(-1)?.keys.reason).toBe('Task timed out after 1.00 seconds');
  });
});

describe('the schedule', () => {
  it('runs on demand, with an empty event, and hands logs and metrics to listeners', async () => {
    const outcome: RefreshOutcome = await service.refresh();
    expect(outcome).toMatchObject({ ok: true, result: { runs: 1, event: {} } });
    expect(metrics).toContainEqual({ _aws: { Timestamp: 1 }, Markets: 1 });
    expect(logs).toContainEqual(
      expect.objectContaining({
        level: 'INFO',
        message: 'Snapshot published',
        keys: { markets: 1 },
        refresher: true,
      }),
    );
  });

  it('runs at once as after a deployment, and then with its input', async () => {
    const running = await startService({ assembly, schedule: 0.2 });
    const second = new Promise<RefreshOutcome>((resolve) => {
      running.on('refresh', (outcome) => {
        if ((outcome.result as { runs: number }).runs === 2) resolve(outcome);
      });
    });
    expect(await running.firstRefresh).toMatchObject({ ok: true, result: { event: {} } });
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect((await second).result).toMatchObject({ event: { at } });
    await running.close();
  });

  it('runs at once and again, and tells failures', async () => {
    const failing = await startService({ assembly, schedule: 0.2, environment: { FAIL: 'yes' } });
    const outcomes: RefreshOutcome[] = [];
    const twice = new Promise<void>((resolve) => {
      failing.on('refresh', (outcome) => {
        outcomes.push(outcome);
        if (outcomes.length === 2) resolve();
      });
    });
    expect(await failing.firstRefresh).toMatchObject({ ok: false, error: 'the upstream is down' });
    await twice;
    expect(outcomes).toMatchObject([{ ok: false }, { ok: false }]);
    await failing.close();
  });
});

it('every table of the template is there', async () => {
  const response = await fetch(service.dynamodbUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': 'DynamoDB_20120810.ListTables',
      'X-Amz-Date': '20261121T000000Z',
      Authorization:
        'AWS4-HMAC-SHA256 Credential=local/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: '{}',
  });
  expect(await response.json()).toEqual({ TableNames: ['test-Table'] });
  expect(service.tables.get('Table')).toBe('test-Table');
});
