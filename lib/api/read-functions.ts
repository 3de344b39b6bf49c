import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { REQUESTS_PER_MINUTE } from '../../lambda/contract/constants.ts';
import { ENVIRONMENT, type EnvironmentOf } from '../../lambda/contract/environment.ts';
import {
  type ReadFunctionName,
  ROUTES,
  ROUTES_BY_FUNCTION,
  type Route,
} from '../../lambda/contract/routes.ts';
import { perUrlVariable, UPSTREAMS } from '../../lambda/contract/upstreams.ts';
import { freshSecondsOf, type Stage } from '../config/stages.ts';
import type { RateLimitStore } from '../data/rate-limit-store.ts';
import type { SnapshotStore } from '../data/snapshot-store.ts';
import { ServiceFunction } from '../service-function.ts';
import type { PublicKeys } from './public-key.ts';

export interface ReadFunctionsProps {
  readonly stage: Stage;
  readonly snapshots: SnapshotStore;
  readonly rateLimits: RateLimitStore;
  /** The front door's keys: only with one of them is CloudFront's viewer address believed. */
  readonly publicKeys: PublicKeys;
  /** What is deployed. */
  readonly version: string;
}

/** Every variable that a function behind an endpoint may want. */
type ReadVariable = { [F in ReadFunctionName]: keyof EnvironmentOf<F> }[ReadFunctionName];

/** The functions behind the endpoints, made from the route table: each with what it needs and no more. */
export class ReadFunctions extends Construct {
  readonly byName: Readonly<Record<ReadFunctionName, LambdaFunction>>;

  constructor(scope: Construct, id: string, props: ReadFunctionsProps) {
    super(scope, id);
    const { stage, snapshots, rateLimits } = props;
    const variables = variablesOf(props);
    const functions = [...ROUTES_BY_FUNCTION].map(([name, names]) => {
      const routes = names.map((route): Route => ROUTES[route]);
      const made = new ServiceFunction(this, pascalCase(name), {
        handler: name,
        description: descriptionOf(name),
        memoryMb: routes[0]?.memoryMb,
        stage,
        environment: pick(variables, Object.keys(ENVIRONMENT[name]) as ReadVariable[]),
      });
      if ('SNAPSHOT_TABLE' in ENVIRONMENT[name]) snapshots.grantRead(made);
      if (routes.some(({ counted }) => counted)) rateLimits.grantCount(made);
      return [name, made] as const;
    });
    this.byName = Object.fromEntries(functions) as Record<ReadFunctionName, LambdaFunction>;
  }
}

/** A variable that the contract names and nobody gives a value does not compile. */
function variablesOf(props: ReadFunctionsProps): Readonly<Record<ReadVariable, string>> {
  const { stage, snapshots, rateLimits, publicKeys, version } = props;
  return {
    SNAPSHOT_TABLE: snapshots.tableName,
    FRESH_SECONDS: String(freshSecondsOf(stage)),
    STALE_IF_ERROR_SECONDS: String(stage.staleIfErrorSeconds),
    REFRESH_INTERVAL_SECONDS: String(stage.refreshMinutes * 60),
    EDGE_CACHE: stage.edgeCache ? 'on' : 'off',
    RATE_LIMIT_TABLE: rateLimits.tableName,
    REQUESTS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    FRONT_DOOR: stage.edge ? 'on' : 'off',
    PUBLIC_API_KEY_IDS: publicKeys.ids,
    ...perUrlVariable((name) => stage[UPSTREAMS[name].setting]),
    SERVICE_VERSION: version,
  };
}

/** By which a function is told from the others in the console and in a template. */
export function descriptionOf(name: ReadFunctionName): string {
  const rows = (ROUTES_BY_FUNCTION.get(name) ?? []).map((route): Route => ROUTES[route]);
  return `${rows[0]?.method ?? 'GET'} ${rows.map(({ path }) => path).join(', ')}`;
}

function pick<K extends string>(values: Readonly<Record<K, string>>, names: readonly K[]): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Record<K, string>;
}

function pascalCase(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
