type Named<T> = Readonly<Record<string, T>>;

type Texts = '$ref' | 'format' | 'description' | 'pattern';
type Numbers = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

/** The parts that the reference shows. */
export interface Schema extends Readonly<Partial<Record<Texts, string> & Record<Numbers, number>>> {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Named<Schema>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}
export interface Value {
  readonly schema: Schema;
  readonly description: string;
  readonly example?: unknown;
}
export interface Parameter extends Value {
  readonly name: string;
  readonly required: boolean;
}
export interface Response {
  readonly description: string;
  readonly headers?: Named<unknown>;
  readonly content?: Named<Omit<Value, 'description'>>;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Named<Response>;
}
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<{ readonly get: Operation }>;
  readonly components: { readonly schemas: Named<Schema>; readonly headers: Named<Value> };
}

const words = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.split(' ')));
/** Their keys are names, not keywords. */
const MAPS = words('paths schemas headers responses content properties');
/** Values, and what the page omits on purpose. */
const PLAIN = words(
  'openapi servers security securitySchemes license x-enum-varnames',
  'required enum const default example examples',
);
const SHOWN = words(
  'info title version summary description tags name components get operationId parameters in schema style explode',
  '$ref type format anyOf items additionalProperties pattern minimum maximum minLength maxLength minItems maxItems',
);

/** @throws Error at a keyword that the reference would silently omit */
export function checkDocument(value: unknown, isMap = false): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const isKeyword = !isMap && !Array.isArray(value);
    if (isKeyword && PLAIN.has(key)) continue;
    if (isKeyword && !SHOWN.has(key) && !MAPS.has(key))
      throw new Error(`The reference lacks the keyword ${key}`);
    checkDocument(inner, isKeyword && MAPS.has(key));
  }
}
