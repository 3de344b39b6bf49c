import { isObject, type Json, type JsonObject, type Resource, type Stack } from 'cdk-local';

/** One thing that a function's role may do. */
export interface Permission {
  readonly action: string;
  /** An ARN, perhaps with wildcards, or `*`. */
  readonly resource: string;
}

/** Permissions by the logical id of the function, from the policies of the template that its role has. */
export function permissionsByFunction(stack: Stack): ReadonlyMap<string, readonly Permission[]> {
  const policies = stack.resources('AWS::IAM::Policy');
  const entries = stack.resources('AWS::Lambda::Function').map(({ id, properties }) => {
    const role = properties.string('Role').split('/').at(-1) ?? '';
    const own = policies.filter(({ properties: policy }) => asTexts(policy.json('Roles')).includes(role));
    return [id, own.flatMap(permissionsOf)] as const;
  });
  return new Map(entries);
}

/** Whether a permission covers an action on a resource, wildcards and all. */
export function covers(permission: Permission, action: string, resource: string): boolean {
  return matches(permission.action, action) && matches(permission.resource, resource);
}

/** @throws Error for what this evaluation does not understand: better no response than a wrong one */
function permissionsOf(policy: Resource): Permission[] {
  const document = policy.properties.json('PolicyDocument');
  const statements = isObject(document) && Array.isArray(document.Statement) ? document.Statement : [];
  return statements.filter(isObject).flatMap((statement) => {
    const unknown = Object.keys(statement).filter((key) => !KNOWN.has(key));
    if (statement.Effect !== 'Allow' || unknown.length > 0) {
      throw new Error(
        `${policy.id}: a statement with ${statement.Effect} ${unknown.join(', ')} is not judged here`,
      );
    }
    return pairs(statement);
  });
}

const KNOWN = new Set(['Action', 'Effect', 'Resource', 'Sid']);

function pairs({ Action, Resource }: JsonObject): Permission[] {
  return asTexts(Action).flatMap((action) => asTexts(Resource).map((resource) => ({ action, resource })));
}

function asTexts(value: Json | undefined): string[] {
  return [value ?? []].flat().map(String);
}

/** IAM's wildcards: `*` for any characters, `?` for one. */
function matches(pattern: string, text: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 'i').test(text);
}
