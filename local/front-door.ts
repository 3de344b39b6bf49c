import {
  type GatewayRequest,
  type Header,
  readViewerFunction,
  type SentRequest,
  type Stack,
  TemplateError,
  type ViewerFunction,
} from 'cdk-local';

/** An address of CloudFront's published ranges: what API Gateway sees as the source of such a request. */
const CLOUDFRONT_IP = '130.176.0.1';

/** What the local server plays of a CloudFront distribution. */
export interface FrontDoor {
  /** The key that it adds to every request. */
  readonly publicKey: string;
  /** What it responds by itself. */
  readonly viewerFunction: ViewerFunction | undefined;
}

/** The front door that the template describes; undefined where it has none. */
export function readFrontDoor(stack: Stack): FrontDoor | undefined {
  const [distribution] = stack.resources('AWS::CloudFront::Distribution');
  if (distribution === undefined) return undefined;
  const origins = distribution.properties.section('DistributionConfig')?.objects('Origins') ?? [];
  const headers = origins.flatMap((origin) => origin.objects('OriginCustomHeaders'));
  const key = headers.find((header) => header.string('HeaderName').toLowerCase() === 'x-api-key');
  if (key === undefined) throw new TemplateError(`The origin of ${distribution.id} sends no x-api-key`);
  return { publicKey: key.string('HeaderValue'), viewerFunction: readViewerFunction(stack) };
}

/**
 * A request as CloudFront passes it on: with the public key and the viewer's address, which replace whatever the
 * viewer sent under these names, the API's own host, and the viewer appended to `X-Forwarded-For`.
 */
export function throughFrontDoor(
  request: SentRequest,
  { publicKey }: FrontDoor,
  apiAuthority: string,
): GatewayRequest {
  const { address, port } = request.peer;
  const replaced = ['x-api-key', 'cloudfront-viewer-address', 'host', 'x-forwarded-for'];
  const chain = request.headers
    .filter(([name]) => name.toLowerCase() === 'x-forwarded-for')
    .map(([, value]) => value);
  const headers: Header[] = [
    ['Host', apiAuthority],
    ...request.headers.filter(([name]) => !replaced.includes(name.toLowerCase())),
    ['x-api-key', publicKey],
    ['CloudFront-Viewer-Address', `${address}:${port}`],
    ['X-Forwarded-For', [...chain, address].join(', ')],
  ];
  return { ...request, headers, sourceIp: CLOUDFRONT_IP };
}

/** A request that goes around the front door, straight to `/<stage>/…`; `undefined` when it names another stage. */
export function aroundFrontDoor(request: SentRequest, stageName: string): GatewayRequest | undefined {
  const [, stage, ...rest] = request.path.split('/');
  if (stage !== stageName) return undefined;
  return { ...request, path: `/${rest.join('/')}`, sourceIp: request.peer.address };
}
