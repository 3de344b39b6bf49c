import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { type Header, type HttpResponse, headerOf } from '../api-gateway/messages.ts';
import type { Assembly } from '../template/assembly.ts';
import { isObject, type Json, type JsonObject, listAt, objectAt, stringAt } from '../template/json.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A cache behavior whose origin is a bucket. */
interface Behavior {
  readonly pattern: RegExp;
  /** What its function at the viewer's request makes of a path. */
  readonly rename: (path: string) => string;
  readonly headers: readonly Header[];
}

/** A request, as far as a site of files looks at it. */
export interface SiteRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
}

/**
 * Serves what a distribution of the template serves from a bucket that the deployment fills: the behaviors whose
 * origin is in S3, in their order, the function that renames a request, and the headers of the policy.
 */
export class StaticSite {
  readonly #folder: string;
  readonly #cacheControl: string;
  readonly #behaviors: readonly Behavior[];

  /** Undefined when the template has no such bucket. @throws {TemplateError} for one that is not understood */
  static read({ template, bundleFolder }: Assembly): StaticSite | undefined {
    const resources = Object.values(objectAt(template.Resources, 'Resources')).filter(isObject);
    const ofType = (type: string) => resources.find((resource) => resource.Type === type)?.Properties;
    const deployment = ofType('Custom::CDKBucketDeployment');
    const distribution = ofType('AWS::CloudFront::Distribution');
    if (!isObject(deployment) || !isObject(distribution)) return undefined;
    const [key] = listAt(deployment.SourceObjectKeys, 'SourceObjectKeys');
    const metadata = isObject(deployment.SystemMetadata) ? deployment.SystemMetadata : {};
    const config = objectAt(distribution.DistributionConfig, 'DistributionConfig');
    const buckets = objects(config.Origins).filter((origin) => origin.S3OriginConfig !== undefined);
    const behaviors = objects(config.CacheBehaviors).filter((behavior) =>
      buckets.some((origin) => origin.Id === behavior.TargetOriginId),
    );
    return new StaticSite(
      bundleFolder(stringAt(key, 'SourceObjectKeys[0]')),
      String(metadata['cache-control'] ?? 'no-cache'),
      behaviors.map((behavior) => readBehavior(template, behavior)),
    );
  }

  private constructor(folder: string, cacheControl: string, behaviors: readonly Behavior[]) {
    this.#folder = folder;
    this.#cacheControl = cacheControl;
    this.#behaviors = behaviors;
  }

  /** Undefined for what the distribution passes on to another origin, and for files that are not there. */
  respond({ method, path, headers }: SiteRequest): HttpResponse | undefined {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const behavior = this.#behaviors.find(({ pattern }) => pattern.test(path));
    if (!behavior) return undefined;
    const file = normalize(join(this.#folder, behavior.rename(path)));
    if (!file.startsWith(this.#folder + sep)) return undefined;
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    const zipped = /\bgzip\b/.test(headerOf(headers, 'accept-encoding') ?? '');
    const body = readFileSync(file);
    return {
      status: 200,
      headers: [
        ['Content-Type', CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'],
        ['Cache-Control', this.#cacheControl],
        ['Vary', 'Accept-Encoding'],
        ...(zipped ? [['Content-Encoding', 'gzip'] as const] : []),
        ...behavior.headers,
      ],
      body: zipped ? gzipSync(body) : body,
    };
  }
}

function readBehavior(template: JsonObject, behavior: JsonObject): Behavior {
  const pattern = stringAt(behavior.PathPattern, 'PathPattern')
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const association = objects(behavior.FunctionAssociations).find(
    ({ EventType }) => EventType === 'viewer-request',
  );
  return {
    pattern: new RegExp(`^${pattern}$`),
    rename: association ? renamer(named(template, association.FunctionARN)) : (path) => path,
    headers: policyHeaders(named(template, behavior.ResponseHeadersPolicyId)),
  };
}

/** Runs a CloudFront function, which sees nothing but its event. */
function renamer(edgeFunction: JsonObject | undefined): (path: string) => string {
  const code = stringAt(edgeFunction?.FunctionCode, 'FunctionCode');
  return (uri) => {
    const request: unknown = runInNewContext(`${code}\nhandler(event).uri`, { event: { request: { uri } } });
    return String(request);
  };
}

const SECURITY_HEADERS: Readonly<Record<string, (value: JsonObject) => Header>> = {
  ContentSecurityPolicy: (value) => ['Content-Security-Policy', String(value.ContentSecurityPolicy)],
  ContentTypeOptions: () => ['X-Content-Type-Options', 'nosniff'],
  FrameOptions: (value) => ['X-Frame-Options', String(value.FrameOption)],
  ReferrerPolicy: (value) => ['Referrer-Policy', String(value.ReferrerPolicy)],
};

/** Strict-Transport-Security is left out: this machine speaks plain HTTP. */
function policyHeaders(policy: JsonObject | undefined): Header[] {
  const config = isObject(policy?.ResponseHeadersPolicyConfig) ? policy.ResponseHeadersPolicyConfig : {};
  const security = isObject(config.SecurityHeadersConfig) ? config.SecurityHeadersConfig : {};
  return Object.entries(SECURITY_HEADERS).flatMap(([name, header]) => {
    const value = security[name];
    return isObject(value) ? [header(value)] : [];
  });
}

/** Properties of the resource that a `Ref` or `Fn::GetAtt` names. */
function named(template: JsonObject, reference: Json | undefined): JsonObject | undefined {
  if (!isObject(reference)) return undefined;
  const attribute = reference['Fn::GetAtt'];
  const id = reference.Ref ?? (Array.isArray(attribute) ? attribute[0] : undefined);
  const resource = objectAt(template.Resources, 'Resources')[String(id)];
  return isObject(resource) && isObject(resource.Properties) ? resource.Properties : undefined;
}

function objects(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
