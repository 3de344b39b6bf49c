/** Written by the build, and by the browser when a value changes. */
export interface Sample {
  readonly url: string;
  readonly isText: boolean;
}

export const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const;
export type Language = keyof typeof LANGUAGES;

/** The URL has no quote and no backslash, so it needs no escaping. */
export const SAMPLES: Readonly<Record<Language, (sample: Sample) => string>> = {
  curl: ({ url }) => `curl '${url}'`,
  javascript: ({ url, isText }) => `const response = await fetch('${url}');
if (!response.ok) throw new Error(await response.text());
console.log(await response.${isText ? 'text' : 'json'}());`,
  python: ({ url, isText }) => `${isText ? '' : 'import json\n'}from urllib.request import urlopen

with urlopen('${url}') as response:
    print(${isText ? 'response.read().decode()' : 'json.load(response)'})`,
};

/** Omits empty values; joins lists with commas. */
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
