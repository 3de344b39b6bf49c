/**
 * The Lambda functions that answer callers, with the environment variables and rights that each
 * needs.
 */
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  REFRESH_INTERVAL_SECONDS,
  REQUESTS_PER_MINUTE,
} from '../../lambda/core/contract/constants.ts';
import {
  type ReadFunctionName,
  ROUTES,
  ROUTES_BY_FUNCTION,
  type Route,
} from '../../lambda/core/contract/route-table.ts';
import { isPageRoute } from '../../lambda/core/contract/route-type.ts';
import { ENVIRONMENT, type EnvironmentOf } from '../../lambda/io/platform/environment.ts';
import { PAGE_FILES_NAME } from '../bundling.ts';
import type { StageConfig } from '../config/stage-config.ts';
import { pascalCase } from '../pascal-case.ts';
import { type Access, ServiceFunction } from '../service-function.ts';
import type { RateLimitTable, SnapshotTable } from '../tables.ts';
import type { PublicKeys } from './public-keys.ts';

interface ReadFunctionsProps {
  readonly stage: StageConfig;
  readonly snapshots: SnapshotTable;
  readonly rateLimits: RateLimitTable;
  readonly publicKeys: PublicKeys;
  readonly version: string;
}

/** The name of a variable that at least one of these functions reads, such as `CLOB_URL`. */
type Variable = { [F in ReadFunctionName]: keyof EnvironmentOf<F> }[ReadFunctionName];

/**
 * The functions behind the API, one for each function name in the route table. Without an edge
 * there is no page.
 */
export class ReadFunctions extends Construct {
  readonly byName: ReadonlyMap<ReadFunctionName, LambdaFunction>;

  constructor(scope: Construct, id: string, props: ReadFunctionsProps) {
    super(scope, id);
    const { stage } = props;
    const variables = variablesOf(props);
    const byName = new Map<ReadFunctionName, LambdaFunction>();
    for (const name of ROUTES_BY_FUNCTION.keys()) {
      const routes = routesOf(name);
      if (!stage.edge && routes.every(isPageRoute)) continue;
      const environment = pick(variables, Object.keys(ENVIRONMENT[name]) as Variable[]);
      const created = new ServiceFunction(this, pascalCase(name), {
        handler: name,
        description: describe(routes),
        // Endpoints that share a function have the same memory.
        memoryMb: routes[0]?.memoryMb,
        stage,
        environment,
        access: accessOf(environment, props),
      });
      byName.set(name, created);
    }
    this.byName = byName;
  }
}

/**
 * The values of all variables; each function gets those that it reads. If a variable of the
 * contract is missing here, the compiler reports it.
 */
function variablesOf(props: ReadFunctionsProps): Readonly<Record<Variable, string>> {
  const { stage, snapshots, rateLimits, publicKeys, version } = props;
  return {
    SNAPSHOT_TABLE: snapshots.table.tableName,
    RATE_LIMIT_TABLE: rateLimits.table.tableName,
    REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    RATE_LIMIT_TIMEOUT_MS: '2000',
    FRONT_DOOR: stage.edge ? 'on' : 'off',
    PUBLIC_API_KEY_IDS: publicKeys.ids,
    GAMMA_URL: stage.upstreamUrls.gamma,
    CLOB_URL: stage.upstreamUrls.clob,
    DATA_URL: stage.upstreamUrls.data,
    SERVICE_VERSION: version,
    REFRESH_INTERVAL_SECONDS: String(REFRESH_INTERVAL_SECONDS),
    SIMULATED: stage.upstreamUrl === undefined ? 'off' : 'on',
    // The working directory is the bundle's folder.
    PAGE_FILES: PAGE_FILES_NAME,
    // CloudFront's own name is not known before the deployment.
    SITE_URL: stage.domainName === undefined ? '' : `https://${stage.domainName}`,
  };
}

/** The rights of a function: on those tables that its variables name. */
function accessOf(
  environment: Partial<Record<Variable, string>>,
  props: ReadFunctionsProps,
): readonly Access[] {
  const snapshots: Access = {
    actions: ['dynamodb:GetItem'],
    resource: props.snapshots.table.tableArn,
  };
  const rateLimits: Access = {
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    resource: props.rateLimits.table.tableArn,
  };
  return [
    ...('SNAPSHOT_TABLE' in environment ? [snapshots] : []),
    ...('RATE_LIMIT_TABLE' in environment ? [rateLimits] : []),
  ];
}

/** The routes that a function serves. */
function routesOf(name: ReadFunctionName): readonly Route[] {
  return (ROUTES_BY_FUNCTION.get(name) ?? []).map((route): Route => ROUTES[route]);
}

/** The description of a function: `GET /api/markets`. */
function describe(routes: readonly Route[]): string {
  return `${routes[0]?.method ?? 'GET'} ${routes.map(({ path }) => path).join(', ')}`;
}

/** The entries of an object that have one of these names. */
function pick<K extends string>(
  values: Readonly<Record<K, string>>,
  names: readonly K[],
): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Record<K, string>;
}
