/** What made up names consist of. */
export const SYLLABLES = [
  'ka',
  'ro',
  'min',
  'ste',
  'van',
  'lo',
  'der',
  'ti',
  'ños',
  'bur',
  'sel',
  'ga',
  'hou',
  'pri',
  'wen',
] as const;
