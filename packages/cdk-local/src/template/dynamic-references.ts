import { isObject, type Json, type JsonObject, stringAt, TemplateError } from './json.ts';

/** `{{resolve:secretsmanager:<arn>:SecretString:<json key>:<stage>:<version>}}`; the last three may be left out. */
const SECRET =
  /^secretsmanager:(arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:[^:]+):SecretString(?::([^:]*))?(?::[^:]*){0,2}$/;

/**
 * Replaces the dynamic references in every text of a resolved value.
 * @param secretByArn gives a secret's value, `undefined` for one that is not in the template
 * @throws {TemplateError} naming a reference that cannot be resolved
 */
export function resolveReferences(
  value: Json,
  secretByArn: (arn: string) => string | undefined,
  where: string,
): Json {
  if (typeof value === 'string') {
    return value.replaceAll(/\{\{resolve:(.*?)\}\}/g, (_whole, reference: string) =>
      secretPart(reference, secretByArn, where),
    );
  }
  if (Array.isArray(value)) return value.map((entry) => resolveReferences(entry, secretByArn, where));
  if (!isObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, entry] of Object.entries(value)) {
    result[key] = resolveReferences(entry, secretByArn, `${where}.${key}`);
  }
  return result;
}

function secretPart(
  reference: string,
  secretByArn: (arn: string) => string | undefined,
  where: string,
): string {
  const [, arn = '', key = ''] = SECRET.exec(reference) ?? [];
  const secret = arn === '' ? undefined : secretByArn(arn);
  if (secret === undefined) {
    throw new TemplateError(`${where}: cannot resolve the dynamic reference {{resolve:${reference}}}`);
  }
  if (key === '') return secret;
  const parsed: Json = JSON.parse(secret);
  return stringAt(isObject(parsed) ? parsed[key] : undefined, `${where}: key ${key} of the secret ${arn}`);
}
