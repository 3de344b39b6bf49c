import { getMarketRules } from '../endpoints/rules/market-rules.ts';
import { limitedHandler } from './wiring/limited.ts';
import { marketRulesDeps } from './wiring/rules.ts';

export const create = limitedHandler('get-market-rules', (context) =>
  getMarketRules(marketRulesDeps(context)),
);
