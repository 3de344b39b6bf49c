import fc from 'fast-check';

/** Names that every object has, for whoever looks a text up in one. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueOf'];

/**
 * Any text of up to so many UTF-16 units: control characters, halves of pairs, whole pairs. The library's own units take two
 * seconds to load in each test file.
 */
export function anyText(maxLength = 10): fc.Arbitrary<string> {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const ascii = fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code));
  const point = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .array(fc.oneof(unit, ascii, point), { maxLength })
        .map((all) => all.join('').slice(0, maxLength)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...INHERITED.filter((name) => name.length <= maxLength)) },
  );
}
