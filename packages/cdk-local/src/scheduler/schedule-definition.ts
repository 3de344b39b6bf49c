import { randomUUID } from 'node:crypto';
import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Resource, Stack } from '../template/stack.ts';

/** A schedule of EventBridge Scheduler that invokes a function. */
export interface ScheduleDefinition {
  readonly id: string;
  readonly functionArn: string;
  readonly intervalMs: number;
  /** The event of a run, as JSON text. */
  event(scheduledAt: Date): string;
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The schedules that are switched on. @throws {TemplateError} for one that is neither a rate nor by minutes of the hour */
export function readSchedules(stack: Stack): ScheduleDefinition[] {
  return stack
    .resources('AWS::Scheduler::Schedule')
    .filter(({ properties }) => properties.optionalString('State') !== 'DISABLED')
    .map((resource) => scheduleOf(resource, stack));
}

function scheduleOf({ id, properties }: Resource, stack: Stack): ScheduleDefinition {
  const target = properties.object('Target');
  const functionArn = target?.optionalString('Arn') ?? '';
  if (!functionArn.includes(':lambda:'))
    throw new TemplateError(`${id}.Target.Arn is not that of a function`);
  const arn = stack.attribute(id, 'Arn');
  const input = target?.optionalString('Input');
  return {
    id,
    functionArn,
    intervalMs: intervalOf(properties, id),
    event: (scheduledAt) =>
      input === undefined ? standardEvent(scheduledAt, arn, stack) : withAttributes(input, scheduledAt, arn),
  };
}

function intervalOf(properties: Properties, id: string): number {
  const expression = properties.string('ScheduleExpression');
  const minutes = /^cron\((\d+(?:,\d+)*) \* \* \* \? \*\)$/.exec(expression)?.[1]?.split(',').map(Number);
  if (minutes) return shortestGap(minutes) * 60_000;
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (unitMs === undefined)
    throw new TemplateError(
      `${id}.ScheduleExpression: only rate(…) and cron(<minutes> * * * ? *) are known, not ${expression}`,
    );
  return Number(count) * unitMs;
}

/** Minutes between two of those minutes of each hour that are nearest to each other. */
function shortestGap(minutes: readonly number[]): number {
  const [first = 0] = minutes;
  return Math.min(...minutes.map((minute, n) => (minutes[n + 1] ?? first + 60) - minute));
}

/** Scheduler replaces its context attributes anywhere in the input. */
function withAttributes(input: string, scheduledAt: Date, arn: string): string {
  const attributes: Readonly<Record<string, string>> = {
    'schedule-arn': arn,
    'scheduled-time': seconds(scheduledAt),
    'execution-id': randomUUID(),
    'attempt-number': '1',
  };
  return input.replaceAll(/<aws\.scheduler\.([a-z-]+)>/g, (whole, name: string) => attributes[name] ?? whole);
}

/** What Scheduler sends to a function when the target has no input. */
function standardEvent(scheduledAt: Date, arn: string, stack: Stack): string {
  return JSON.stringify({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: stack.place.account,
    time: seconds(scheduledAt),
    region: stack.place.region,
    resources: [arn],
    detail: '{}',
  });
}

function seconds(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, 'Z');
}
