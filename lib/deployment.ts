import { Annotations, type App } from 'aws-cdk-lib';
import { deployedVersion, runbookUrl } from './config/deployed-version.ts';
import type { StageConfig } from './config/stage-config.ts';
import { EdgeAlarmStack } from './edge/edge-alarm-stack.ts';
import { EDGE_REGION } from './edge/edge-distribution.ts';
import { WebAclStack } from './edge/web-acl-stack.ts';
import { MarketDataProxyStack } from './market-data-proxy-stack.ts';

/** Names contain the service's region, so that the stacks of one stage in two regions can share us-east-1. */
export function addDeployment(app: App, stage: StageConfig): void {
  const common = {
    stage,
    terminationProtection: stage.production,
    tags: { service: 'market-data-proxy', stage: stage.name },
  };
  const edge = { ...common, env: { region: EDGE_REGION } };
  const runbook = runbookUrl();
  const webAcl = stage.waf
    ? new WebAclStack(app, 'MarketDataProxyWaf', {
        ...edge,
        stackName: `market-data-proxy-${stage.name}-waf-${stage.region}`,
        description: 'The web ACL of the Market Data Proxy',
      })
    : undefined;
  const service = new MarketDataProxyStack(app, 'MarketDataProxy', {
    ...common,
    env: { region: stage.region },
    stackName: `market-data-proxy-${stage.name}`,
    description: 'Polymarket markets, searchable and enriched with probability changes',
    version: deployedVersion(),
    runbookUrl: runbook,
    webAclArn: webAcl?.webAclArn,
  });
  if (!stage.hasReceiver) {
    Annotations.of(service).addInfo(
      'Without alarmEmail and alarmTopicArn no alarm reaches anybody, and there is no budget.',
    );
  }
  if (webAcl && service.distributionId !== undefined) {
    new EdgeAlarmStack(app, 'MarketDataProxyEdgeAlarm', {
      ...edge,
      stackName: `market-data-proxy-${stage.name}-edge-alarm-${stage.region}`,
      description: 'The alarm on the bytes that the Market Data Proxy sends',
      distributionId: service.distributionId,
      synthesisedAt: new Date(),
      runbookUrl: runbook,
    });
  }
}
