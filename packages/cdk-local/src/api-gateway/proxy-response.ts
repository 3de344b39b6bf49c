import { isObject, type Json, type JsonObject } from '../template/json.ts';
import type { Header, HttpResponse } from './messages.ts';

/** Keys of a proxy response; API Gateway takes no other. */
const KEYS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);
/** Headers that API Gateway keeps for itself and passes on under another name (developer guide, "Important notes"). */
const REMAPPED = new Set([
  'connection',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'pragma',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'warn',
  'www-authenticate',
]);

/** What a Lambda proxy integration returned, as a response; a sentence for the log when it is not one. */
export function proxyResponse(payload: string): HttpResponse | string {
  const result: Json = JSON.parse(payload);
  if (!isObject(result)) return 'the function returned no object';
  const unknown = Object.keys(result).find((key) => !KEYS.has(key));
  if (unknown !== undefined) return `the function returned the unknown key ${unknown}`;
  const { statusCode, body = null } = result;
  if (
    typeof statusCode !== 'number' ||
    !Number.isInteger(statusCode) ||
    statusCode < 100 ||
    statusCode > 599
  ) {
    return `the function returned the statusCode ${JSON.stringify(statusCode)}`;
  }
  if (body !== null && typeof body !== 'string') return 'the function returned a body that is not a string';
  const headers = mergedHeaders(result);
  if (headers === undefined) return 'the function returned headers that are not texts';
  // Without binary media types API Gateway does not decode base64.
  return { status: statusCode, headers: withContentType(headers), body: Buffer.from(body ?? '', 'utf8') };
}

/** `multiValueHeaders` win over `headers` of the same name. */
function mergedHeaders({ headers, multiValueHeaders }: JsonObject): Header[] | undefined {
  const single = headers ?? {};
  const multiple = multiValueHeaders ?? {};
  if (!isObject(single) || !isObject(multiple)) return undefined;
  const overridden = new Set(Object.keys(multiple).map((name) => name.toLowerCase()));
  const pairs: [string, Json][] = Object.entries(single).filter(
    ([name]) => !overridden.has(name.toLowerCase()),
  );
  for (const [name, values] of Object.entries(multiple)) {
    if (!Array.isArray(values)) return undefined;
    pairs.push(...values.map((value): [string, Json] => [name, value]));
  }
  if (pairs.some(([, value]) => typeof value === 'object' && value !== null)) return undefined;
  return pairs.flatMap(([name, value]) => passedOn(name, value === null ? '' : String(value)));
}

function passedOn(name: string, value: string): Header[] {
  const lower = name.toLowerCase();
  if (lower === 'content-length') return [];
  return [[REMAPPED.has(lower) ? `x-amzn-Remapped-${name}` : name, value]];
}

function withContentType(headers: Header[]): Header[] {
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  return typed ? headers : [['Content-Type', 'application/json'], ...headers];
}
