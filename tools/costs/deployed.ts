import type { RouteName } from '../../lambda/contract/routes.ts';
import { stageFromContext } from '../../lib/config/stage-context.ts';
import { WATCH_MINUTES } from '../../lib/edge/front-door-watch.ts';
import { type TemplateResource, templatesOf } from '../templates.ts';
import { MEASURED_ROUTES } from './measured.ts';

/** What of a deployment costs money, as the templates of its stage say. */
export interface Deployed {
  readonly refreshMinutes: number;
  readonly memoryMb: Readonly<Record<'refresh-snapshot' | (typeof MEASURED_ROUTES)[number], number>>;
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
  const routes = Object.fromEntries(MEASURED_ROUTES.map((route) => [route, memoryOf(functions, route)]));
  return {
    refreshMinutes: stageFromContext({ stage: name }).refreshMinutes,
    memoryMb: {
      ...(routes as Record<(typeof MEASURED_ROUTES)[number], number>),
      'refresh-snapshot': memoryOf(functions, 'refresh-snapshot'),
    },
    alarms: alarms.length,
    alarmMetrics: alarms.map(metricsOfAlarm).reduce((sum, count) => sum + count, 0),
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    webAcls: webAcls.length,
    webAclRules: webAcls.flatMap(({ Properties }) => Properties?.Rules ?? []).length,
    accessLog: ofType('AWS::ApiGateway::Account').length > 0,
    looks: functions.some(({ Properties }) => /front door$/.test(String(Properties?.Description)))
      ? (30 * 24 * 60) / WATCH_MINUTES
      : 0,
    edgeFunction: ofType('AWS::CloudFront::Distribution').some(runsFunction),
  };
}

const DESCRIPTIONS = {
  'refresh-snapshot': /publishes a snapshot/,
  'list-markets': /^GET \/api\/markets$/,
  'search-markets': /^GET \/api\/markets\/search$/,
  'get-order-book': /order-book$/,
  'get-prices-history': /prices-history$/,
} as const satisfies Partial<Record<RouteName | 'refresh-snapshot', RegExp>>;

function memoryOf(functions: readonly TemplateResource[], name: keyof typeof DESCRIPTIONS): number {
  const found = functions.find(({ Properties }) =>
    DESCRIPTIONS[name].test(String(Properties?.Description ?? '')),
  );
  if (!found) throw new Error(`There is no function ${name} in the template`);
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
