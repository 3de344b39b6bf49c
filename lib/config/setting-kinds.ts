import { Ajv2020 } from 'ajv/dist/2020.js';
import { RegionInfo } from 'aws-cdk-lib/region-info';

/** What a setting can hold: what JSON, and therefore a stage file, says in one word. */
export type SettingValue = string | number | boolean;

/** What a setting may be, for an editor, for a program, and for a person. */
export interface SettingKind<T extends SettingValue = SettingValue> {
  /** The JSON schema of the value. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Ends the sentence "it must be …". */
  readonly allowed: string;
  /** @returns undefined for a value that the schema refuses */
  read(value: unknown): T | undefined;
  /** The same for what a command line gives. */
  readText(text: string): T | undefined;
}

const ajv = new Ajv2020();

function kind<T extends SettingValue>(
  schema: Readonly<Record<string, unknown>>,
  allowed: string,
): SettingKind<T> {
  const isAllowed = ajv.compile<T>(schema);
  const read = (value: unknown) => (isAllowed(value) ? value : undefined);
  return { schema, allowed, read, readText: (text) => read(fromText(text, schema.type)) };
}

function fromText(text: string, type: unknown): unknown {
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

/** @param reason why there is a bound, for the person who met it */
export function integer(minimum: number, maximum: number, reason?: string): SettingKind<number> {
  const range = `a whole number from ${minimum} to ${maximum}`;
  return kind({ type: 'integer', minimum, maximum }, reason ? `${range} (${reason})` : range);
}

export function oneOf<const T extends SettingValue>(...values: readonly T[]): SettingKind<T> {
  const type = typeof values[0] === 'number' ? 'integer' : 'string';
  return kind({ type, enum: values }, `one of ${values.join(', ')}`);
}

function text(pattern: string, allowed: string): SettingKind<string> {
  return kind({ type: 'string', pattern }, allowed);
}

export const trueOrFalse: SettingKind<boolean> = kind({ type: 'boolean' }, 'true or false');

export const url = text('^https?://[^\\s/?#]+(/[^\\s?#]*)?$', 'an http or https URL');

const REGIONS = RegionInfo.regions.filter(({ partition }) => partition === 'aws').map(({ name }) => name);

export const region: SettingKind<string> = kind(
  { type: 'string', enum: REGIONS },
  'an AWS region such as eu-central-1 (not one of China, of a government or another AWS of its own, which this stack was never made for)',
);

export const hostName = text(
  '^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$',
  'a host name such as markets.example.com',
);

export const usEast1Certificate = text(
  '^arn:aws:acm:us-east-1:\\d{12}:certificate/[\\w-]+$',
  'the ARN of an ACM certificate in us-east-1, the only region CloudFront takes one from',
);

export const keyNames = text(
  '^[a-zA-Z0-9]{1,12}(,[a-zA-Z0-9]{1,12})?$',
  'one name of letters and digits, or two with a comma between: the key in use, and its successor',
);

export const email = text('^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$', 'an e-mail address');
