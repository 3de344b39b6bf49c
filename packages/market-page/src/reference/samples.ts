// Samples of requests. The build writes them into the reference. The browser writes them again when
// the reader changes a value.

/** What a sample requests. `isText`: the response is not JSON. */
export interface Sample {
  readonly url: string;
  readonly isText: boolean;
}

export const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

/**
 * The sample of a request in each language. The URL needs no escaping, because `requestUrl` leaves
 * no quote and no backslash in it.
 */
export const SAMPLES: Readonly<Record<Language, (sample: Sample) => string>> = {
  curl: ({ url }) => `curl '${url}'`,
  javascript: ({ url, isText }) => `const response = await fetch('${url}');
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isText ? 'text' : 'json'}());`,
  python: ({ url, isText }) => `${isText ? '' : 'import json\n'}from urllib.request import urlopen

with urlopen('${url}') as response:
    print(${isText ? 'response.read().decode()' : 'json.load(response)'})`,
};

/**
 * The URL of a request. Fills the parameters of the path, and omits others without a value. Commas
 * stay, because they separate the values of a list.
 */
export function requestUrl(
  origin: string,
  path: string,
  values: readonly (readonly [string, string])[],
): string {
  let filled = path;
  const query: string[] = [];
  for (const [name, value] of values) {
    const encoded = encodeURIComponent(value).replaceAll('%2C', ',').replaceAll("'", '%27');
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encoded);
    else if (value !== '') query.push(`${name}=${encoded}`);
  }
  return `${origin}${filled}${query.length > 0 ? '?' : ''}${query.join('&')}`;
}
