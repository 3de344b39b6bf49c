import { isObject, type Json, type JsonObject, listAt, stringAt, TemplateError } from './json.ts';

/** What the intrinsic functions of one template refer to. */
export interface Scope {
  /** Value of `Ref`. `undefined` for `AWS::NoValue`. @throws {TemplateError} for an unknown name */
  ref(name: string, where: string): Json | undefined;
  /** @throws {TemplateError} for an unknown resource or attribute */
  attribute(logicalId: string, attribute: string, where: string): Json;
  readonly conditions: JsonObject;
  readonly mappings: JsonObject;
}

/**
 * Evaluates the intrinsic functions in `value`. `AWS::NoValue` leaves its property or list entry out.
 * @throws {TemplateError} naming any function that is not known here
 */
export function evaluate(value: Json, scope: Scope, where: string): Json | undefined {
  if (Array.isArray(value)) {
    return value.map((entry, index) => evaluate(entry, scope, `${where}[${index}]`)).filter(isPresent);
  }
  if (!isObject(value)) return value;
  const intrinsic = intrinsicOf(value);
  if (intrinsic !== undefined) return call(intrinsic.name, intrinsic.argument, scope, where);
  const result: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    const evaluated = evaluate(entry, scope, `${where}.${key}`);
    if (evaluated !== undefined) result[key] = evaluated;
  }
  return result;
}

/** Evaluates a named condition. @throws {TemplateError} */
export function conditionHolds(name: string, scope: Scope): boolean {
  const condition = scope.conditions[name];
  if (condition === undefined) throw new TemplateError(`There is no condition ${name} in the template`);
  return holds(condition, scope, `Conditions.${name}`);
}

function isPresent(value: Json | undefined): value is Json {
  return value !== undefined;
}

function intrinsicOf(value: JsonObject): { name: string; argument: Json } | undefined {
  const [entry, another] = Object.entries(value);
  if (entry === undefined || another !== undefined) return undefined;
  const [name, argument] = entry;
  return name === 'Ref' || name.startsWith('Fn::') ? { name, argument } : undefined;
}

function call(name: string, argument: Json, scope: Scope, where: string): Json | undefined {
  const at = `${where} (${name})`;
  const text = (value: Json | undefined): string =>
    stringAt(value === undefined ? undefined : evaluate(value, scope, at), at);
  const list = (value: Json | undefined): Json[] =>
    listAt(value === undefined ? undefined : evaluate(value, scope, at), at);
  switch (name) {
    case 'Ref':
      return scope.ref(stringAt(argument, at), at);
    case 'Fn::GetAtt': {
      const [id, ...attribute] = Array.isArray(argument) ? argument.map(text) : text(argument).split('.');
      return scope.attribute(id ?? '', attribute.join('.'), at);
    }
    case 'Fn::Join': {
      const [separator, parts] = listAt(argument, at);
      return list(parts)
        .map((part) => stringAt(part, at))
        .join(text(separator));
    }
    case 'Fn::Split': {
      const [separator, source] = listAt(argument, at);
      return text(source).split(text(separator));
    }
    case 'Fn::Select': {
      const [index, source] = listAt(argument, at);
      const chosen = list(source)[Number(text(index))];
      if (chosen === undefined) throw new TemplateError(`${at}: there is no entry ${JSON.stringify(index)}`);
      return chosen;
    }
    case 'Fn::Sub':
      return substitute(argument, scope, at);
    case 'Fn::If': {
      const [condition, yes, no] = listAt(argument, at);
      const branch = conditionHolds(stringAt(condition, at), scope) ? yes : no;
      return branch === undefined ? undefined : evaluate(branch, scope, where);
    }
    case 'Fn::FindInMap': {
      const [map, first, second] = listAt(argument, at).map(text);
      const level = scope.mappings[map ?? ''];
      const inner = isObject(level) ? level[first ?? ''] : undefined;
      const found = isObject(inner) ? inner[second ?? ''] : undefined;
      if (found === undefined) throw new TemplateError(`${at}: nothing at ${map}.${first}.${second}`);
      return found;
    }
    default:
      throw new TemplateError(`${where}: the local server does not know the intrinsic function ${name}`);
  }
}

function substitute(argument: Json, scope: Scope, at: string): string {
  const [source, given] = Array.isArray(argument) ? argument : [argument];
  const variables = isObject(given) ? given : {};
  return stringAt(source, at).replaceAll(/\$\{([^}]+)\}/g, (whole, reference: string) => {
    if (reference.startsWith('!')) return `\${${reference.slice(1)}}`;
    const variable = variables[reference];
    if (variable !== undefined) return stringAt(evaluate(variable, scope, at), at);
    const [id, ...attribute] = reference.split('.');
    const value =
      attribute.length > 0 ? scope.attribute(id ?? '', attribute.join('.'), at) : scope.ref(reference, at);
    return stringAt(value, `${at} ${whole}`);
  });
}

function holds(condition: Json, scope: Scope, where: string): boolean {
  if (typeof condition === 'boolean') return condition;
  const [entry] = isObject(condition) ? Object.entries(condition) : [];
  const [name, argument] = entry ?? ['nothing', null];
  const each = (): boolean[] => listAt(argument, where).map((part) => holds(part, scope, where));
  switch (name) {
    case 'Condition':
      return conditionHolds(stringAt(argument, where), scope);
    case 'Fn::Equals': {
      const [left, right] = listAt(argument, where).map((part) => evaluate(part, scope, where));
      return JSON.stringify(left) === JSON.stringify(right);
    }
    case 'Fn::And':
      return each().every(Boolean);
    case 'Fn::Or':
      return each().some(Boolean);
    case 'Fn::Not':
      return !each().every(Boolean);
    default:
      throw new TemplateError(`${where}: the local server does not know the condition function ${name}`);
  }
}
