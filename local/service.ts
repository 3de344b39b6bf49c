import { EventEmitter } from 'node:events';
import {
  type ApiDefinition,
  type Assembly,
  type Database,
  defineTables,
  type FunctionDefinition,
  FunctionFleet,
  Gateway,
  Listener,
  parseLogLine,
  readApi,
  readSchedules,
  type ScheduleDefinition,
  Stack,
  StartError,
  StaticSite,
  startDatabase,
  TemplateError,
} from 'cdk-local';
import { runKind } from '../lambda/contract/run-kind.ts';
import { Cleanup } from './cleanup.ts';
import { readFrontDoor } from './front-door.ts';
import { listen } from './listen.ts';
import { LocalService } from './local-service.ts';
import { OWN_RESPONSES } from './own-responses.ts';
import { RefreshRunner } from './refresh-runner.ts';
import type { ServiceEvents } from './service-events.ts';

export interface ServiceOptions {
  /** What `synthesize` gave; several services may run from one. */
  readonly assembly: Assembly;
  /** Where callers begin: listens already, and then belongs to the service. @default a listener on a free port */
  readonly outer?: Listener;
  /** Replaces variables of the functions' environments, where the template has them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** `true`: refresh at once and then at the schedule's rate; a number: every so many seconds; `false`: on demand only. @default true */
  readonly schedule?: boolean | number;
  /** Changes what the template says of a function; a container reads what it gets when it starts or is invoked. */
  readonly adjust?: (definition: FunctionDefinition) => FunctionDefinition;
  /** Most containers of a function. @default 4 */
  readonly maxContainers?: number;
  /** Milliseconds since 1970 for throttles and quotas. @default Date.now */
  readonly now?: () => number;
}

/** Starts what the assembly describes. @throws {StartError} naming what cannot be served here */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const cleanup = new Cleanup();
  try {
    return await start(options, cleanup);
  } catch (error) {
    await cleanup.run();
    if (!(error instanceof TemplateError)) throw error;
    throw new StartError(`The synthesised template cannot be served here: ${error.message}.`, {
      cause: error,
    });
  }
}

async function start(options: ServiceOptions, cleanup: Cleanup): Promise<LocalService> {
  const outer = options.outer ?? (await Listener.open(0, OWN_RESPONSES));
  cleanup.add(() => outer.close());
  const stack = new Stack(options.assembly);
  const api = readApi(stack);
  const { full: schedule, prices: priceSchedule } = refreshSchedules(stack);
  const frontDoor = readFrontDoor(stack);
  const publicKey = frontDoor === undefined ? publicKeyOf(stack, api) : undefined;
  const database = await startDatabase(defineTables(stack));
  cleanup.add(() => database.close());

  const events = new EventEmitter<ServiceEvents>();
  const functions = startFunctions(options, {
    stack,
    api,
    schedule,
    database,
    events,
    outerUrl: `http://${outer.authority}`,
  });
  cleanup.add(() => functions.close());
  const refresher = new RefreshRunner({
    schedule,
    priceSchedule,
    target: functions.get(schedule.functionArn),
    onOutcome: (outcome) => events.emit('refresh', outcome),
  });
  cleanup.add(async () => refresher.stop());

  const inner = frontDoor === undefined ? outer : await Listener.open(0);
  if (inner !== outer) cleanup.add(() => inner.close());
  const gateway = new Gateway(api, {
    context: { accountId: stack.place.account, domainName: inner.authority },
    invoke: (arn, event, traceId) => functions.invoke(arn, event, traceId),
    onFailure: (reason, requestId, functionArn) => {
      const functionId = functions.get(functionArn).definition.id;
      const message = 'API Gateway sent an error response of its own';
      const keys = { reason, requestId };
      events.emit('log', {
        functionId,
        refresher: false,
        level: 'ERROR',
        message,
        keys,
        raw: `${message}: ${reason}`,
      });
    },
    now: options.now,
  });
  const site = StaticSite.read(options.assembly);
  listen({ outer, inner, frontDoor, gateway, api, site, events });
  return new LocalService(
    { outer, inner, publicKey, stack, api, database, functions, refresher, schedule, events, cleanup },
    options.schedule ?? true,
  );
}

interface Parts {
  readonly stack: Stack;
  readonly api: ApiDefinition;
  readonly schedule: ScheduleDefinition;
  readonly database: Database;
  readonly events: EventEmitter<ServiceEvents>;
  /** Where callers begin here, in place of CloudFront's address. */
  readonly outerUrl: string;
}

function startFunctions(
  options: ServiceOptions,
  { stack, api, schedule, database, events, outerUrl }: Parts,
): FunctionFleet {
  const routed = api.methods.flatMap(({ integration }) =>
    integration.kind === 'lambda' ? [integration.functionArn] : [],
  );
  const scheduled = readSchedules(stack).map(({ functionArn }) => functionArn);
  return new FunctionFleet([...routed, ...scheduled], {
    stack,
    assembly: options.assembly,
    dynamodbUrl: database.url,
    overrides: { FRONT_DOOR_URL: outerUrl, ...options.environment },
    adjust: options.adjust,
    maxContainers: options.maxContainers,
    onLine: ({ definition }, text) => {
      const line = parseLogLine(text);
      const functionId = definition.id;
      if (line.kind === 'metric') events.emit('metric', { functionId, data: line.data });
      else events.emit('log', { ...line, functionId, refresher: definition.arn === schedule.functionArn });
    },
  });
}

/** The schedules of the function that the stack also triggers after a deployment, else of the first: full and price runs. */
function refreshSchedules(stack: Stack): {
  readonly full: ScheduleDefinition;
  readonly prices: ScheduleDefinition | undefined;
} {
  const schedules = readSchedules(stack);
  const triggered = stack
    .resources('Custom::Trigger')
    .map(({ properties }) => properties.string('HandlerArn'));
  const schedule =
    schedules.find(({ functionArn }) => triggered.some((arn) => arn.startsWith(`${functionArn}:`))) ??
    schedules[0];
  if (schedule === undefined)
    throw new TemplateError('There is no AWS::Scheduler::Schedule that is switched on');
  const ofFunction = schedules.filter(({ functionArn }) => functionArn === schedule.functionArn);
  const prices = ofFunction.find((one) => runKind(JSON.parse(one.event(new Date()))) === 'prices');
  return { full: ofFunction.find((one) => one !== prices) ?? schedule, prices };
}

function publicKeyOf(stack: Stack, api: ApiDefinition): string {
  const id = stack.output('PublicApiKeyId');
  const key = api.keys.find((candidate) => candidate.id === id);
  if (key === undefined)
    throw new TemplateError('The output PublicApiKeyId does not name an AWS::ApiGateway::ApiKey');
  return key.value;
}
