import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Resource, Stack } from '../template/stack.ts';
import type { Throttle } from './throttle.ts';

/** The stage that is served. */
export interface StageDefinition {
  readonly name: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Throttle of a method that is defined under any of these names (`GET`, `ANY`), `undefined` when it has none. */
  throttleOf(resourcePath: string, httpMethods: readonly string[]): Throttle | undefined;
}

/** Reads the API's only stage. @throws {TemplateError} when there is none, or more than one */
export function readStage(stack: Stack, restApi: Resource): StageDefinition {
  const apiId = stack.ref(restApi.id);
  const own = stack
    .resources('AWS::ApiGateway::Stage')
    .filter(({ properties }) => properties.string('RestApiId') === apiId);
  const [stage, another] = own;
  if (stage === undefined || another !== undefined) {
    throw new TemplateError(`The local server serves an API with one stage; ${restApi.id} has ${own.length}`);
  }
  const throttles = new Map(stage.properties.objects('MethodSettings').flatMap(throttleEntry));
  return {
    name: stage.properties.string('StageName'),
    variables: stage.properties.strings('Variables'),
    throttleOf: (path, methods) => {
      const name = [...methods, '*']
        .map((method) => `${path} ${method}`)
        .find((candidate) => throttles.has(candidate));
      return throttles.get(name ?? '/* *');
    },
  };
}

function throttleEntry(setting: Properties): [string, Throttle][] {
  const rateLimit = setting.optionalNumber('ThrottlingRateLimit');
  const burstLimit = setting.optionalNumber('ThrottlingBurstLimit');
  if (rateLimit === undefined && burstLimit === undefined) return [];
  const name = `${plainPath(setting.string('ResourcePath'))} ${setting.string('HttpMethod')}`;
  return [[name, { rateLimit: rateLimit ?? 0, burstLimit: burstLimit ?? 0 }]];
}

/** `/~1api~1markets` is how a setting names `/api/markets` (a JSON pointer); `/*` is every path. */
function plainPath(path: string): string {
  return path === '/*' ? path : path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
}
