import { randomInt } from 'node:crypto';
import { isObject, type Json, TemplateError } from './json.ts';
import type { Properties } from './properties.ts';

const LOWERCASE = 'abcdefghijklmnopqrstuvwxyz';
const NUMBERS = '0123456789';
/** Secrets Manager's own list, from the reference of GetRandomPassword. */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const DEFAULT_LENGTH = 32;

/** The value of an AWS::SecretsManager::Secret: what the template holds, or a new one made as it asks. */
export function secretValue(secret: Properties): string {
  const literal = secret.optionalString('SecretString');
  if (literal !== undefined) return literal;
  const generate = secret.object('GenerateSecretString');
  if (generate === undefined)
    throw new TemplateError(`${secret.where('SecretString')}: the secret has no value`);
  const password = generatePassword(generate);
  const key = generate.optionalString('GenerateStringKey');
  if (key === undefined) return password;
  const base: Json = JSON.parse(generate.optionalString('SecretStringTemplate') ?? '{}');
  if (!isObject(base))
    throw new TemplateError(`${generate.where('SecretStringTemplate')} must hold a JSON object`);
  return JSON.stringify({ ...base, [key]: password });
}

function generatePassword(rules: Properties): string {
  const excluded = new Set(rules.optionalString('ExcludeCharacters') ?? '');
  const classes = [
    rules.boolean('ExcludeLowercase') ? '' : LOWERCASE,
    rules.boolean('ExcludeUppercase') ? '' : LOWERCASE.toUpperCase(),
    rules.boolean('ExcludeNumbers') ? '' : NUMBERS,
    rules.boolean('ExcludePunctuation') ? '' : PUNCTUATION,
    rules.boolean('IncludeSpace') ? ' ' : '',
  ]
    .map((characters) => [...characters].filter((character) => !excluded.has(character)))
    .filter((characters) => characters.length > 0);
  const length = rules.optionalNumber('PasswordLength') ?? DEFAULT_LENGTH;
  const required = rules.boolean('RequireEachIncludedType', true) ? classes.map(pick) : [];
  const everything = classes.flat();
  if (everything.length === 0) throw new TemplateError('A generated secret may not exclude every character');
  const filler = Array.from({ length: Math.max(0, length - required.length) }, () => pick(everything));
  return shuffle([...required, ...filler]).join('');
}

function pick(characters: readonly string[]): string {
  return characters[randomInt(characters.length)] ?? '';
}

function shuffle(characters: string[]): string[] {
  const keyed = characters.map((character) => ({ character, key: randomInt(2 ** 32) }));
  return keyed.sort((one, other) => one.key - other.key).map(({ character }) => character);
}
