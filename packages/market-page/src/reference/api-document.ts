/** The parts of docs/openapi.json that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  };
}

type Part = Readonly<Record<string, string>>;
const leaves = (keywords: string): Part => Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, '']));

/** The keywords of each part that the reference shows or leaves out on purpose, with the part inside; `*`: many of it. */
const PARTS: Readonly<Record<string, Part>> = {
  document: {
    info: 'info',
    tags: 'tag*',
    paths: 'path*',
    components: 'components',
    ...leaves('openapi servers security'),
  },
  info: leaves('title version description summary license'),
  tag: leaves('name description'),
  components: { schemas: 'schema*', headers: 'header*', ...leaves('securitySchemes') },
  header: { schema: 'schema', ...leaves('description') },
  path: { get: 'operation' },
  operation: { parameters: 'parameter*', responses: 'response*', ...leaves('operationId summary description tags') },
  parameter: { schema: 'schema', ...leaves('name in required description example style explode') },
  response: { content: 'media*', ...leaves('description headers') },
  media: { schema: 'schema', ...leaves('example') },
  schema: {
    ...{ anyOf: 'schema*', items: 'schema', properties: 'schema*', additionalProperties: 'schema' },
    ...leaves('$ref type format enum const required description default examples pattern minimum maximum'),
    ...leaves('minLength maxLength minItems maxItems x-enum-varnames'),
  },
};

/** @throws Error at a keyword that the reference does not show: it must not vanish silently */
export function checkDocument(value: object, part = 'document'): void {
  for (const [keyword, inside] of Object.entries(value)) {
    const inner = PARTS[part]?.[keyword];
    if (inner === undefined) throw new Error(`The API reference does not show the keyword ${keyword} of a ${part}`);
    const parts = inner.endsWith('*') ? Object.values(inside) : [inside];
    for (const one of parts) if (inner && typeof one === 'object') checkDocument(one, inner.replace('*', ''));
  }
}
