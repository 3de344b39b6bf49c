import { describe, expect, it } from '@jest/globals';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, NO_EDGE } from '../../../support/variants.ts';

const template = synthesizeStack();

describe('the page', () => {
  it('lies in a private, encrypted bucket that goes with the stack', () => {
    const [[id, bucket] = []] = resources(template, 'AWS::S3::Bucket');
    expect(bucket).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
      },
    });
    // The files must be gone before the bucket can be.
    template.hasResourceProperties('Custom::CDKBucketDeployment', {
      DestinationBucketName: { Ref: id },
      RetainOnDelete: false,
    });
  });

  it('is read by this distribution alone, over TLS', () => {
    const [[, policy] = []] = resources(template, 'AWS::S3::BucketPolicy');
    const document = policy?.Properties.PolicyDocument as
      | { Statement: Record<string, unknown>[] }
      | undefined;
    const statements = document?.Statement ?? [];
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toMatchObject([
      { Action: 's3:GetObject', Principal: { Service: 'cloudfront.amazonaws.com' } },
    ]);
    expect(JSON.stringify(allowed[0]?.Condition)).toContain('AWS:SourceArn');
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    );
    template.resourceCountIs('AWS::CloudFront::OriginAccessControl', 1);
  });

  it('is shown at /, /docs, /docs/ and /assets, with a policy that lets no foreign or inline script run', () => {
    const [[, distribution] = []] = resources(template, 'AWS::CloudFront::Distribution');
    const config = distribution?.Properties.DistributionConfig as Record<string, Record<string, unknown>[]>;
    const bucket = config.Origins?.find(({ S3OriginConfig }) => S3OriginConfig)?.Id;
    const paths = config.CacheBehaviors?.filter(({ TargetOriginId }) => TargetOriginId === bucket);
    expect(paths?.map(({ PathPattern }) => PathPattern)).toEqual(['/', '/docs', '/docs/', '/assets/*']);
    const policies = resources(template, 'AWS::CloudFront::ResponseHeadersPolicy');
    const told = policies
      .filter(([id]) => id.startsWith('FrontDoorPage'))
      .map(([, policy]) => JSON.stringify(policy.Properties));
    expect(told.map((text) => /default-src ([^;]*)/.exec(text)?.[1])).toEqual(["'none'", "'none'"]);
    expect(told.map((text) => /script-src ([^;]*)/.exec(text)?.[1])).toEqual(["'self'", "'self'"]);
    // The page itself does without inline styles, too; the API reference does not.
    expect(told.map((text) => text.includes('unsafe-inline'))).toEqual([false, true]);
  });

  it('lets the function that copies it reach the assets and this bucket, and nothing else', () => {
    const [[, policy] = []] = resources(template, 'AWS::IAM::Policy').filter(([id]) =>
      id.startsWith('CustomCDKBucketDeployment'),
    );
    const document = policy?.Properties.PolicyDocument as
      | { Statement: { Action: string | string[]; Resource: unknown }[] }
      | undefined;
    expect(document?.Statement.length).toBeGreaterThan(1);
    for (const { Action, Resource } of document?.Statement ?? []) {
      for (const action of [Action].flat()) expect(action).toMatch(/^s3:/);
      for (const resource of [Resource].flat()) {
        expect(JSON.stringify(resource)).toMatch(/FrontDoorPageFiles|cdk-hnb659fds-assets/);
      }
    }
  });

  it.each([
    ['the edge', NO_EDGE],
    ['it', CHANGED],
  ])('is left out of a stage without %s', (_, variant) => {
    const bare = synthesizeStack(...variant);
    bare.resourceCountIs('AWS::S3::Bucket', 0);
    bare.resourceCountIs('Custom::CDKBucketDeployment', 0);
  });
});
