/** The deployment of a stage: its stack, and warnings about its settings. */
import { Annotations, type App } from 'aws-cdk-lib';
import { deployedVersion, runbookUrl } from './config/deployed-version.ts';
import type { StageConfig } from './config/stage-config.ts';
import { MarketDataProxyStack } from './market-data-proxy-stack.ts';

/** Adds the stack of a stage. Each stage has one stack. */
export function addDeployment(app: App, stage: StageConfig): void {
  const stack = new MarketDataProxyStack(app, 'MarketDataProxy', {
    stage,
    env: { region: stage.region },
    stackName: `market-data-proxy-${stage.name}`,
    description: 'Polymarket markets, searchable and enriched with probability changes',
    terminationProtection: stage.production,
    tags: { service: 'market-data-proxy', stage: stage.name },
    version: deployedVersion(),
    runbookUrl: runbookUrl(),
  });
  if (stage.alarmEmail === undefined) {
    Annotations.of(stack).addInfo(
      'Without alarmEmail no alarm sends an email, and there is no budget.',
    );
  }
  if (stage.production && stage.webAcl === false) {
    Annotations.of(stack).addWarningV2(
      'market-data-proxy:no-web-acl',
      'Without webAcl one fast address can use up the rate of all anonymous callers (docs/security.md).',
    );
  }
}
