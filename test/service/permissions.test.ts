import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { examplePath, ROUTES, type RouteName } from '../../lambda/contract/routes.ts';
import { DynamoDbRecorder, type RecordedCall } from './support/dynamodb-recorder.ts';
import { covers, type Permission, permissionsByFunction } from './support/function-policies.ts';
import { TestService } from './support/test-service.ts';

/** What a function's role has for Lambda itself to use, not its code, and what for. */
const USED_BY_LAMBDA: Readonly<Record<string, string>> = {
  'logs:CreateLogStream': 'Lambda writes what the function prints',
  'logs:PutLogEvents': 'Lambda writes what the function prints',
  'sqs:SendMessage': 'Lambda reports asynchronous invocations that failed to their destination',
  'xray:PutTelemetryRecords': 'Lambda traces by itself',
  'xray:PutTraceSegments': 'Lambda traces by itself',
};

/** Requests a minute: more than the calls below need, so that the limit refuses nothing before the end. */
const LIMIT = 40;

let recorder: DynamoDbRecorder;
let service: TestService;
let calls: readonly RecordedCall[];
let permissions: ReadonlyMap<string, readonly Permission[]>;

beforeAll(async () => {
  recorder = await DynamoDbRecorder.start();
  service = await TestService.start({
    environment: { REQUESTS_PER_MINUTE: String(LIMIT) },
    service: { adjust: recorder.adjust },
  });
  await endToEnd();
  calls = recorder.calls();
  permissions = permissionsByFunction(service.service.stack);
}, 60_000);
afterAll(async () => {
  await recorder.close();
  await service.close();
});

/** Everything the service does: refreshes, every endpoint, pages of a snapshot, and refusals by the limit. */
async function endToEnd(): Promise<void> {
  await service.call('/api/markets'); // before there is a snapshot
  for (let run = 0; run < 2; run++) await service.service.refresh();
  const { json, headers } = await service.call('/api/markets?limit=2');
  const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '';
  const token = json[0].clobTokenId;
  const queries = [next, '/api/markets/search?q=will', `/api/clob/order-book?token_id=${token}`];
  for (const path of [...queries, `/api/clob/prices-history?token_id=${token}`]) await service.call(path);
  for (const route of Object.keys(ROUTES) as RouteName[]) await service.call(examplePath(route));
  service.upstream.addFault({ route: '*', kind: 'status', status: 500 });
  // Not the token above, whose history is held: what upstream does not give is looked for in the price memory.
  await service.call(`/api/clob/prices-history?token_id=${json[1].clobTokenId}`);
  service.upstream.clearFaults();
  for (let n = 0; n <= LIMIT; n++) await service.call('/api/markets?limit=1');
}

function arnOf(table: string): string {
  const { region, account } = service.service.stack.place;
  return `arn:aws:dynamodb:${region}:${account}:table/${table}`;
}

describe('the policy of each function', () => {
  it('was put to the test: every function has run, and the limit has refused', () => {
    const ids = service.service.functions.all().map(({ definition }) => definition.id);
    const silent = ids.filter((id) => !calls.some(({ functionId }) => functionId === id));
    // These need no table.
    expect(silent.sort()).toEqual([
      expect.stringContaining('FrontDoorWatch'),
      expect.stringContaining('GetLlmsTxt'),
      expect.stringContaining('GetOpenapi'),
    ]);
  });

  it('allows every call that the function makes', () => {
    const refused = calls.filter(({ functionId, action, table }) => {
      const own = permissions.get(functionId) ?? [];
      return !own.some((permission) => covers(permission, action, arnOf(table)));
    });
    expect(refused).toEqual([]);
  });

  it('allows nothing that the function does not do', () => {
    const unused = service.service.functions.all().flatMap(({ definition: { id } }) => {
      const own = calls.filter(({ functionId }) => functionId === id);
      return (permissions.get(id) ?? [])
        .filter(({ action }) => !(action in USED_BY_LAMBDA))
        .filter((permission) => !own.some(({ action, table }) => covers(permission, action, arnOf(table))))
        .map((permission) => ({ id, ...permission }));
    });
    expect(unused).toEqual([]);
  });

  it('names its tables: no wildcard reaches data', () => {
    const wide = [...permissions.values()]
      .flat()
      .filter(({ action, resource }) => action.startsWith('dynamodb:') && /[*?]/.test(action + resource));
    expect(wide).toEqual([]);
  });
});
