import { fieldIf } from '../../core/domain/values.ts';
import { asText, type WireObject } from './json-values.ts';

/** How Polymarket decides a market. Plain text; a field is absent if Gamma has none. */
export interface MarketRules {
  readonly description?: string;
  /** A web address or a name. */
  readonly resolutionSource?: string;
}

/** Reads the rules of a Gamma record (docs/upstream.md). Never throws. */
export function readRules(record: WireObject): MarketRules {
  return {
    ...fieldIf('description', asRulesText(record.description)),
    ...fieldIf('resolutionSource', asRulesText(record.resolutionSource)?.replaceAll('\n', ' ')),
  };
}

const LINE_BREAK = /\r\n|[\r\u0085\u2028\u2029]/g;
/** Control, bidirectional, zero-width and tag characters can hide from a person what a program reads. */
const INVISIBLE =
  /[^\P{Cc}\n]|[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Joiners shape letters and emoji. Anywhere else they only hide. */
const LOOSE_JOINER =
  /(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]+|[\u200c\u200d]+(?![\p{L}\p{Extended_Pictographic}])/gu;

/** Trimmed, not blank. Keeps line breaks, as `\n`. */
function asRulesText(value: unknown): string | undefined {
  const text = asText(value)?.replace(LINE_BREAK, '\n').replaceAll('\t', ' ');
  return asText(text?.replace(INVISIBLE, '').replace(LOOSE_JOINER, ''));
}
