import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { StaticSite } from '../../src/cloudfront/static-site.ts';
import type { JsonObject } from '../../src/template/json.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
writeFileSync(join(folder, 'index.html'), '<h1>Here</h1>');
writeFileSync(join(folder, 'a.js'), 'let a');

const RESOURCES: JsonObject = {
  Copy: {
    Type: 'Custom::CDKBucketDeployment',
    Properties: { SourceObjectKeys: ['1.zip'], SystemMetadata: { 'cache-control': 'max-age=9' } },
  },
  Names: {
    Type: 'AWS::CloudFront::Function',
    Properties: {
      FunctionCode:
        'function handler(event) { var r = event.request; if (r.uri === "/") r.uri = "/index.html"; return r; }',
    },
  },
  Headers: {
    Type: 'AWS::CloudFront::ResponseHeadersPolicy',
    Properties: {
      ResponseHeadersPolicyConfig: {
        SecurityHeadersConfig: { ContentSecurityPolicy: { ContentSecurityPolicy: "default-src 'none'" } },
      },
    },
  },
  Door: {
    Type: 'AWS::CloudFront::Distribution',
    Properties: {
      DistributionConfig: {
        Origins: [{ Id: 'api' }, { Id: 'files', S3OriginConfig: {} }],
        CacheBehaviors: [
          {
            PathPattern: '/',
            TargetOriginId: 'files',
            ResponseHeadersPolicyId: { Ref: 'Headers' },
            FunctionAssociations: [
              { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': ['Names', 'FunctionARN'] } },
            ],
          },
          { PathPattern: '/*.js', TargetOriginId: 'files' },
          { PathPattern: '/api/*', TargetOriginId: 'api' },
        ],
      },
    },
  },
};

function siteOf(resources: JsonObject): StaticSite | undefined {
  const place = { account: '000000000000', region: 'us-east-1', stackName: 's' };
  return StaticSite.read({ template: { Resources: resources }, place, bundleFolder: () => folder });
}

const get = (path: string, headers: readonly (readonly [string, string])[] = []) =>
  siteOf(RESOURCES)?.respond({ method: 'GET', path, headers });

describe('a site in a bucket behind a distribution', () => {
  it('shows the file that the function names, with the headers of the policy', () => {
    const response = get('/');
    expect(response?.body.toString()).toBe('<h1>Here</h1>');
    expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'max-age=9',
      'Content-Security-Policy': "default-src 'none'",
    });
  });

  it('zips for who takes it', () => {
    const response = get('/a.js', [['Accept-Encoding', 'br, gzip']]);
    expect(gunzipSync(response?.body ?? Buffer.alloc(0)).toString()).toBe('let a');
  });

  it.each(['/api/markets', '/nowhere', '/b.js', '/../secret.js', '/%2e%2e/a.js'])(
    'leaves %s to others',
    (path) => {
      expect(get(path)).toBeUndefined();
    },
  );

  it('is not there without a bucket that is filled', () => {
    const { Copy: _, ...others } = RESOURCES;
    expect(siteOf(others)).toBeUndefined();
  });

  it('leaves other methods to the API, which refuses them in its own words', () => {
    expect(siteOf(RESOURCES)?.respond({ method: 'POST', path: '/', headers: [] })).toBeUndefined();
  });
});
