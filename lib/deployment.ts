import type { App } from 'aws-cdk-lib';
import { VERSION } from '../lambda/contract/version.ts';
import type { Stage } from './config/stages.ts';
import { WAF_REGION, WafStack } from './edge/waf-stack.ts';
import { MarketDataProxyStack } from './market-data-proxy-stack.ts';

const RUNBOOK = 'docs/runbook.md';

/** What only the process that synthesises knows. */
export interface DeploymentOptions {
  /** Where the CDK CLI deploys stacks without a region. */
  readonly cliRegion?: string | undefined;
  /** What is deployed. @default the package's version */
  readonly version?: string;
  /** Where the runbook is, unless the stage says. @default its path in the repository */
  readonly runbookUrl?: string | undefined;
}

/** The stacks of a stage. */
export interface Deployment {
  readonly service: MarketDataProxyStack;
  /** Where the stage has a web ACL. */
  readonly waf?: WafStack | undefined;
}

/**
 * Adds the stacks of a stage to the app. None is bound to an account; a region is named only where the stage does, or
 * where a web ACL is referred to, which CDK allows between stacks of known regions only.
 */
export function addDeployment(app: App, stage: Stage, options: DeploymentOptions = {}): Deployment {
  const { cliRegion, version = VERSION, runbookUrl = RUNBOOK } = options;
  const waf =
    stage.edge && stage.waf
      ? new WafStack(app, 'MarketDataProxyWaf', {
          stageName: stage.name,
          stackName: `market-data-proxy-${stage.name}-waf`,
          terminationProtection: stage.terminationProtection,
          description: 'The web ACL of the Market Data Proxy',
        })
      : undefined;
  const region = stage.region ?? (waf && (cliRegion ?? WAF_REGION));
  const service = new MarketDataProxyStack(app, 'MarketDataProxy', {
    stage,
    version,
    runbookUrl: stage.runbookUrl ?? runbookUrl,
    webAclArn: waf?.webAclArn,
    env: region === undefined ? {} : { region },
    stackName: `market-data-proxy-${stage.name}`,
    terminationProtection: stage.terminationProtection,
    description: 'Polymarket markets, searchable and enriched with probability changes',
  });
  return { service, waf };
}
