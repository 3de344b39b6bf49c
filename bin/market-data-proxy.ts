import { App } from 'aws-cdk-lib';
import { MarketDataProxyStack } from '../lib/market-data-proxy-stack.ts';
import { stageFromContext } from '../lib/stage-context.ts';

const app = new App();
const stage = stageFromContext((key) => app.node.tryGetContext(key));

new MarketDataProxyStack(app, 'MarketDataProxy', {
  stage,
  stackName: `market-data-proxy-${stage.name}`,
  description: 'Polymarket markets, searchable and enriched with probability changes',
});
