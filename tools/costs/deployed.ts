import { functionOf } from '../../lambda/contract/routes.ts';
import { descriptionOf } from '../../lib/api/read-functions.ts';
import { stageFromContext } from '../../lib/config/stage-context.ts';
import { REFRESHER_DESCRIPTION } from '../../lib/data/refresher.ts';
import { WATCH_DESCRIPTION, WATCH_MINUTES } from '../../lib/edge/front-door-watch.ts';
import { type TemplateResource, templatesOf } from '../templates.ts';
import { MEASURED_ROUTES, type MeasuredRoute } from './measured.ts';

type CountedFunction = MeasuredRoute | 'get-status' | 'refresh-snapshot' | 'watch-front-door';

/** What of a deployment costs money, as the templates of its stage say. */
export interface Deployed {
  readonly refreshMinutes: number;
  /** Of the functions that cost something worth counting; 0 where the stage has none. */
  readonly memoryMb: Readonly<Record<CountedFunction, number>>;
  readonly alarms: number;
  readonly alarmMetrics: number;
  readonly dashboards: number;
  readonly secrets: number;
  readonly webAcls: number;
  readonly webAclRules: number;
  readonly accessLog: boolean;
  /** Looks through the front door in a month. */
  readonly looks: number;
  /** Whether CloudFront runs a function for each request to the API. */
  readonly edgeFunction: boolean;
}

export function deployedOf(name: string): Deployed {
  const all = templatesOf({ stage: name }).flatMap(({ resources }) => Object.values(resources));
  const ofType = (type: string) => all.filter(({ Type }) => Type === type);
  const alarms = ofType('AWS::CloudWatch::Alarm');
  const webAcls = ofType('AWS::WAFv2::WebACL');
  const functions = ofType('AWS::Lambda::Function');
  const watch = withDescription(functions, WATCH_DESCRIPTION);
  const routes = [...MEASURED_ROUTES, 'get-status' as const];
  return {
    refreshMinutes: stageFromContext({ stage: name }).refreshMinutes,
    memoryMb: {
      ...(Object.fromEntries(
        routes.map((route) => [
          route,
          memoryOf(withDescription(functions, descriptionOf(functionOf(route)))),
        ]),
      ) as Record<(typeof routes)[number], number>),
      'refresh-snapshot': memoryOf(withDescription(functions, REFRESHER_DESCRIPTION)),
      'watch-front-door': watch ? memoryOf(watch) : 0,
    },
    alarms: alarms.length,
    alarmMetrics: alarms.map(metricsOfAlarm).reduce((sum, count) => sum + count, 0),
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    webAcls: webAcls.length,
    webAclRules: webAcls.flatMap(({ Properties }) => Properties?.Rules ?? []).length,
    accessLog: ofType('AWS::ApiGateway::Account').length > 0,
    looks: watch ? (30 * 24 * 60) / WATCH_MINUTES : 0,
    edgeFunction: ofType('AWS::CloudFront::Distribution').some(runsFunction),
  };
}

function withDescription(
  functions: readonly TemplateResource[],
  description: string,
): TemplateResource | undefined {
  return functions.find(({ Properties }) => Properties?.Description === description);
}

/** @throws where the template has no such function */
function memoryOf(found: TemplateResource | undefined): number {
  if (!found) throw new Error('A function that costs something is not in the template');
  return Number(found.Properties?.MemorySize);
}

/** For whatever has no behaviour of its own, and so for the API. */
function runsFunction({ Properties }: TemplateResource): boolean {
  const config = Properties?.DistributionConfig as
    | { readonly DefaultCacheBehavior: { readonly FunctionAssociations?: readonly unknown[] } }
    | undefined;
  return (config?.DefaultCacheBehavior.FunctionAssociations ?? []).length > 0;
}

function metricsOfAlarm({ Properties }: TemplateResource): number {
  const metrics = (Properties?.Metrics ?? []) as readonly { readonly MetricStat?: unknown }[];
  return Math.max(1, metrics.filter(({ MetricStat }) => MetricStat).length);
}
