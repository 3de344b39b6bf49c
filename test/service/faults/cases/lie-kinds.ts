import type { FaultSpec } from 'polymarket-simulator';

/** A way to lie about a response, whatever the route. */
export interface Lie {
  /** After the name of what is asked for. */
  readonly what: string;
  readonly fault: { readonly kind: FaultSpec['kind']; readonly [option: string]: unknown };
  /** What the service calls it. */
  readonly failure: string;
}

/** The lies that make a response worthless. */
export const LIES: readonly Lie[] = [
  { what: 'that never end', fault: { kind: 'endless' }, failure: 'too_large' },
  { what: 'of 30 MB', fault: { kind: 'huge', mb: 30 }, failure: 'too_large' },
  {
    what: 'that are nothing but brackets, 100,000 deep',
    fault: { kind: 'deep' },
    failure: 'wrong_shape',
  },
  { what: 'that are 2 MB of tiny values', fault: { kind: 'dense', mb: 2 }, failure: 'too_large' },
  { what: 'that are nearly JSON', fault: { kind: 'malformed' }, failure: 'not_json' },
  {
    what: 'that call themselves gzip and are not',
    fault: { kind: 'mislabelled', as: 'gzip' },
    failure: 'network',
  },
];
