import type { App } from 'aws-cdk-lib';
import type { Stage } from './config/stages.ts';
import { WAF_REGION, WafStack } from './edge/waf-stack.ts';
import { MarketDataProxyStack } from './market-data-proxy-stack.ts';

/** The stacks of a stage. */
export interface Deployment {
  readonly service: MarketDataProxyStack;
  /** Where the stage has a web ACL. */
  readonly waf?: WafStack | undefined;
}

/**
 * Adds the stacks of a stage to the app. None is bound to an account; a region is named only where the stage does, or
 * where a web ACL is referred to, which CDK allows between stacks of known regions only.
 *
 * @param cliRegion where the CDK CLI deploys stacks without a region
 */
export function addDeployment(app: App, stage: Stage, cliRegion?: string): Deployment {
  const waf =
    stage.edge && stage.waf
      ? new WafStack(app, 'MarketDataProxyWaf', {
          stackName: `market-data-proxy-${stage.name}-waf`,
          terminationProtection: stage.terminationProtection,
          description: 'The web ACL of the Market Data Proxy',
        })
      : undefined;
  const region = stage.region ?? (waf && (cliRegion ?? WAF_REGION));
  const service = new MarketDataProxyStack(app, 'MarketDataProxy', {
    stage,
    webAclArn: waf?.webAclArn,
    env: region === undefined ? {} : { region },
    stackName: `market-data-proxy-${stage.name}`,
    terminationProtection: stage.terminationProtection,
    description: 'Polymarket markets, searchable and enriched with probability changes',
  });
  return { service, waf };
}
