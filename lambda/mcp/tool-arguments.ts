import { parameterSchema } from '../contract/openapi/parameters.ts';
import type { Parameter } from '../contract/parameters.ts';
import type { Json } from '../contract/route.ts';
import { ROUTES, type Route, type RouteName } from '../contract/routes.ts';
import { SCHEMAS } from '../contract/schemas.ts';
import { ServiceError } from '../domain/service-error.ts';
import { type ParametersOf, parseParameters } from '../http/parameters.ts';

/** What a model sends to a tool: JSON, hopefully. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** What parts of a schema say only to a generator of code, or again what the function checks in any case. */
const LEFT_OUT: readonly string[] = [
  'x-enum-varnames',
  'minimum',
  'maximum',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];

/** Arguments whose names say it all beside the units in the description of a tool. */
const SPEAKING: ReadonlySet<string> = new Set([
  ...['limit', 'offset', 'sort', 'order', 'category', 'interval', 'depth'],
  ...['minVolume', 'minVolume24h', 'minLiquidity', 'minProbability', 'maxProbability', 'maxSpread'],
]);

/** The JSON Schema of some parameters of a route, as short as it can be: a model reads it with every question. */
export function inputSchema(route: RouteName, names: readonly string[]) {
  const { parameters }: Route = ROUTES[route];
  const chosen = names.flatMap((name) => {
    const parameter = parameters[name];
    return parameter ? [[name, parameter] as const] : [];
  });
  const required = chosen.flatMap(([name, parameter]) => (parameter.required ? [name] : []));
  return {
    type: 'object' as const,
    properties: Object.fromEntries(
      chosen.map(([name, parameter]) => [name, argumentSchema(name, parameter)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function argumentSchema(name: string, parameter: Parameter): Json {
  if (SPEAKING.has(name)) return shortened(parameterSchema(parameter));
  const [description = ''] = parameter.description.split(/[.;]\s|\.$/u);
  const schema = parameterSchema(parameter);
  // A list of what else the field may be is what a refusal says.
  if (parameter.kind === 'list') return { type: 'array', items: { type: 'string' }, description };
  // One of several ways to write a date: all of them are texts.
  if ('anyOf' in schema) return { type: 'string', description };
  return { ...shortened(schema), description };
}

/** A schema with its references resolved and without what a model has no use for. */
export function shortened(schema: Json): Json {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const resolved: Json = name && name in SCHEMAS ? SCHEMAS[name as keyof typeof SCHEMAS] : schema;
  const entries = Object.entries(resolved).filter(
    ([key, value]) => !LEFT_OUT.includes(key) && key !== 'description' && value !== undefined,
  );
  return Object.fromEntries(entries);
}

/**
 * The parameters of a route from the arguments of a tool, by the rules of the route.
 *
 * @param preset what the tool asks for where the model says nothing, as the query would hold it
 * @throws ServiceError `missing_parameter` or `invalid_parameter` that says what to send instead
 */
export function parseArguments<R extends RouteName>(
  route: R,
  names: readonly string[],
  sent: ToolArguments,
  preset: Readonly<Record<string, string>> = {},
): ParametersOf<R> {
  const { parameters }: Route = ROUTES[route];
  const unknown = Object.keys(sent).filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    const known = names.length > 0 ? `it takes ${names.join(', ')}` : 'it takes none';
    throw new ServiceError('invalid_parameter', `This tool has no argument ${unknown.join(', ')}: ${known}.`);
  }
  const texts: Record<string, string> = { ...preset };
  for (const [name, value] of Object.entries(sent)) {
    if (value !== null && value !== undefined) texts[name] = asText(name, value);
  }
  const places = Object.groupBy(Object.entries(texts), ([name]) => parameters[name]?.in ?? 'query');
  const query = Object.fromEntries((places.query ?? []).map(([name, text]) => [name, [text]]));
  // A segment of a path is decoded by the parser.
  const path = (places.path ?? []).map(([name, text]) => [name, encodeURIComponent(text)]);
  return parseParameters(route, query, Object.fromEntries(path));
}

function asText(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => asText(name, entry)).join(',');
  if (typeof value === 'object') {
    throw new ServiceError(
      'invalid_parameter',
      `The argument ${name} must be a text, a number or a list of them.`,
    );
  }
  return String(value);
}
