/**
 * The OpenAPI document as the reference reads it: its types, and a check that it has no keyword
 * that the reference does not show. So nobody adds a keyword that readers of the reference never
 * see.
 */

/** Values by names that the document chooses, such as paths. */
type Named<T> = Readonly<Record<string, T>>;

/** What a value must be, as JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Named<Schema>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
/** A described value: what parameters, headers and contents have in common. */
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

/** The keywords in texts, separated by blanks. */
const keywords = (...texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => text.split(' ')));
/** Keywords whose value is a map: its keys are names that the document chooses. */
const MAPS = keywords('paths schemas headers responses content properties');
/** Keywords whose value is not checked: plain values, and what the reference omits on purpose. */
const UNCHECKED = keywords(
  'openapi title servers security securitySchemes license x-enum-varnames in style explode',
  'required enum const default example examples',
);
/** All other keywords that the reference shows. */
const SHOWN = keywords(
  'info version summary description tags name components',
  'get operationId parameters schema',
  '$ref type format anyOf items additionalProperties pattern',
  'minimum maximum minLength maxLength minItems maxItems',
);

/**
 * Checks a part of the document, with all parts inside it.
 *
 * @param isMap whether the keys of the part are names, not keywords
 * @throws Error at a keyword that the reference would silently omit
 */
export function checkDocument(part: unknown, isMap = false): void {
  if (typeof part !== 'object' || part === null) return;
  const hasKeywords = !isMap && !Array.isArray(part);
  for (const [key, inner] of Object.entries(part)) {
    if (!hasKeywords) {
      checkDocument(inner);
      continue;
    }
    if (UNCHECKED.has(key)) continue;
    if (!SHOWN.has(key) && !MAPS.has(key))
      throw new Error(`The reference lacks the keyword ${key}`);
    checkDocument(inner, MAPS.has(key));
  }
}
