import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import { type HttpResponse, headerOf } from './messages.ts';

const ENCODERS = { gzip: promisify(gzip), deflate: promisify(deflate) } as const;

/**
 * Compresses the response as API Gateway does: when the caller asks for gzip or deflate, the body has at least
 * `minimumSize` bytes, and the integration has not encoded it.
 * @param minimumSize the API's MinimumCompressionSize; `undefined` switches compression off
 */
export async function compress(
  response: HttpResponse,
  acceptEncoding: string | undefined,
  minimumSize: number | undefined,
): Promise<HttpResponse> {
  const coding = preferredCoding(acceptEncoding ?? '');
  if (
    coding === undefined ||
    minimumSize === undefined ||
    response.body.length === 0 ||
    response.body.length < minimumSize ||
    headerOf(response.headers, 'content-encoding') !== undefined
  ) {
    return response;
  }
  const body = await ENCODERS[coding](response.body);
  return { ...response, headers: [...response.headers, ['Content-Encoding', coding]], body };
}

/** The coding of the highest weight, gzip before deflate; `undefined` when neither is welcome. */
function preferredCoding(acceptEncoding: string): keyof typeof ENCODERS | undefined {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get('*') ?? 0;
  if (weightOf('gzip') === 0 && weightOf('deflate') === 0) return undefined;
  return weightOf('gzip') >= weightOf('deflate') ? 'gzip' : 'deflate';
}
