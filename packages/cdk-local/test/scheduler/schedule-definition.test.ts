import { expect, it } from '@jest/globals';
import { readSchedules } from '../../src/scheduler/schedule-definition.ts';
import type { JsonObject } from '../../src/template/json.ts';
import { Stack } from '../../src/template/stack.ts';
import { lambda, PLACE, resource } from '../test-assembly.ts';

function schedules(properties: JsonObject) {
  const schedule = resource('AWS::Scheduler::Schedule', {
    ScheduleExpression: 'rate(2 minutes)',
    ...properties,
    Target: { Arn: { 'Fn::GetAtt': ['Fn', 'Arn'] }, ...(properties.Target as JsonObject | undefined) },
  });
  return readSchedules(
    new Stack({ template: { Resources: { Fn: lambda('x'), Schedule: schedule } }, place: PLACE }),
  );
}

const AT = new Date('2026-11-21T10:11:12.345Z');

it.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(1 hour)', 3_600_000],
  ['cron(0,2,4 * * * ? *)', 120_000],
  ['cron(0,20,40 * * * ? *)', 1_200_000],
  ['cron(5 * * * ? *)', 3_600_000],
])('%s is %i ms', (ScheduleExpression, intervalMs) => {
  expect(schedules({ ScheduleExpression })[0]?.intervalMs).toBe(intervalMs);
});

it('another expression is an error', () => {
  expect(() => schedules({ ScheduleExpression: 'cron(0 12 * * ? *)' })).toThrow('only rate(…) and cron');
});

it('one that is switched off is none', () => {
  expect(schedules({ State: 'DISABLED' })).toEqual([]);
});

it('attributes in the input are replaced', () => {
  const [schedule] = schedules({
    Target: { Input: '{"at":"<aws.scheduler.scheduled-time>","n":<aws.scheduler.attempt-number>}' },
  });
  expect(JSON.parse(schedule?.event(AT) ?? '')).toEqual({ at: '2026-11-21T10:11:12Z', n: 1 });
});

it('without an input the event is Scheduler’s own', () => {
  expect(JSON.parse(schedules({})[0]?.event(AT) ?? '')).toMatchObject({
    'detail-type': 'Scheduled Event',
    time: '2026-11-21T10:11:12Z',
    resources: ['arn:aws:scheduler:eu-west-1:111122223333:schedule/default/test-Schedule'],
  });
});
