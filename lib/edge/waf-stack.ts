import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { WebAcl } from './web-acl.ts';

/** CloudFront takes web ACLs from this region only. */
export const WAF_REGION = 'us-east-1';

export interface WafStackProps extends Omit<StackProps, 'env'> {
  readonly stageName: string;
}

/** The web ACL of the edge: a stack of its own, since it lives in one region wherever the service does. */
export class WafStack extends Stack {
  readonly webAclArn: string;

  constructor(scope: Construct, id: string, props: WafStackProps) {
    super(scope, id, { ...props, env: { region: WAF_REGION } });
    this.webAclArn = new WebAcl(this, 'WebAcl', props).arn;
  }
}
