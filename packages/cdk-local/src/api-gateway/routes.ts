import { TemplateError } from '../template/json.ts';
import type { Resource, Stack } from '../template/stack.ts';

/** A resource of the API: `{name}` stands for one segment, `{name+}` for one or more. */
export interface ApiResource {
  readonly id: string;
  /** As API Gateway shows it, for example `/api/markets/{id}`. */
  readonly path: string;
}

export interface RouteMatch<Route> {
  readonly route: Route;
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Paths of the API's resources by what `Ref` gives for them, the root included. */
export function readResources(stack: Stack, restApi: Resource): Map<string, ApiResource> {
  const rootId = stack.attribute(restApi.id, 'RootResourceId');
  const found = new Map<string, ApiResource>([[rootId, { id: rootId, path: '/' }]]);
  let pending = stack.resources('AWS::ApiGateway::Resource');
  while (pending.length > 0) {
    const orphans = pending.filter(({ id, properties }) => {
      const parent = found.get(properties.string('ParentId'));
      if (parent === undefined) return true;
      const own = stack.ref(id);
      found.set(own, { id: own, path: `${parent.path.replace(/\/$/, '')}/${properties.string('PathPart')}` });
      return false;
    });
    const [orphan] = orphans;
    if (orphan !== undefined && orphans.length === pending.length) {
      throw new TemplateError(`${orphan.id}.ParentId is not a resource of the API`);
    }
    pending = orphans;
  }
  return found;
}

/** Methods by path and by HTTP method, `ANY` among them. */
export class RouteTable<Route extends { readonly resource: ApiResource; readonly httpMethod: string }> {
  readonly #paths: { segments: readonly string[]; methods: Map<string, Route> }[] = [];

  constructor(routes: readonly Route[]) {
    const byPath = Map.groupBy(routes, ({ resource }) => resource.path);
    for (const [path, own] of byPath) {
      const methods = new Map(own.map((route) => [route.httpMethod, route]));
      this.#paths.push({ segments: segmentsOf(path), methods });
    }
    this.#paths.sort((one, other) => compare(one.segments, other.segments));
  }

  /**
   * The most literal path that fits, and on it the method itself or else `ANY`. A path that fits and has no such
   * method is no match, even where a greedy path would fit too: so does API Gateway.
   */
  match(method: string, path: string): RouteMatch<Route> | undefined {
    const sent = segmentsOf(path).map(decode);
    for (const { segments, methods } of this.#paths) {
      const pathParameters = matchSegments(segments, sent);
      if (pathParameters === undefined) continue;
      const route = methods.get(method) ?? methods.get('ANY');
      return route === undefined ? undefined : { route, pathParameters };
    }
    return undefined;
  }
}

/** One slash at the end makes no difference. */
function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/').slice(1);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // not a percent-encoding: no literal segment will fit it
  }
}

function rank(segment: string | undefined): number {
  if (segment === undefined) return 3;
  if (segment.endsWith('+}')) return 2;
  return segment.startsWith('{') ? 1 : 0;
}

function compare(one: readonly string[], other: readonly string[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = rank(one[index]) - rank(other[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function matchSegments(
  segments: readonly string[],
  sent: readonly string[],
): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = sent[index];
    if (value === undefined || value === '') return undefined;
    if (segment.endsWith('+}')) {
      parameters[segment.slice(1, -2)] = sent.slice(index).join('/');
      return parameters;
    }
    if (segment.startsWith('{')) parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return segments.length === sent.length ? parameters : undefined;
}
