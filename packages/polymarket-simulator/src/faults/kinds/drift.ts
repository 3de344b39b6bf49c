import { everyObject, nonsenseOf, retyped } from '../changes.ts';
import type { FaultKind } from '../kind.ts';

/** Faults of shape: what an upstream's next version may bring. */
export const DRIFT_FAULTS = {
  nonsense: {
    summary: 'values of wrong types; "variant": values (default), not-array, null or empty',
    effect(options) {
      const variant = options.choice('variant', ['values', 'not-array', 'null', 'empty']) ?? 'values';
      return { change: (body) => nonsenseOf(body, variant) };
    },
  },
  'key-renamed': {
    summary: 'the key "key" is called "to" at every depth; without "to" it is left out',
    effect(options) {
      const key = options.text('key') ?? 'clobTokenIds';
      const to = options.text('to');
      return {
        change: (body) =>
          everyObject(body, (entries) =>
            entries.flatMap(([name, value]) =>
              name !== key ? [[name, value]] : to === undefined ? [] : [[to, value]],
            ),
          ),
      };
    },
  },
  'key-added': {
    summary: 'every object of a list has a new key "key" (default "newKey") with "value" (default true)',
    effect(options) {
      const key = options.text('key') ?? 'newKey';
      const value = options.value('value') ?? true;
      return { change: (body) => everyObject(body, (entries) => [...entries, [key, value]]) };
    },
  },
  'key-retyped': {
    summary:
      'the value of the key "key" has another type at every depth: text becomes what it holds or a list, numbers and arrays become text',
    effect(options) {
      const key = options.text('key') ?? 'outcomePrices';
      return {
        change: (body) =>
          everyObject(body, (entries) =>
            entries.map(([name, value]) => [name, name === key ? retyped(value) : value]),
          ),
      };
    },
  },
  'schema-moved': {
    summary: '$schema says "schema" (default another file of the same host)',
    effect(options) {
      const schema =
        options.text('schema') ?? 'https://gamma-api.polymarket.com/schemas/v3/ListResponse.json';
      return { change: (body) => ({ ...(body as object), $schema: schema }) };
    },
    routes: ['markets-keyset', 'events-keyset'],
  },
} as const satisfies Readonly<Record<string, FaultKind>>;
