import { getMarketRules } from '../endpoints/rules/market-rules.ts';
import { limitedHandler } from './wiring/limited.ts';
import { marketRulesDeps } from './wiring/rules.ts';

/** Makes the handler that returns a market's rules, from Gamma. */
export const create = limitedHandler('get-market-rules', (context) =>
  getMarketRules(marketRulesDeps(context)),
);
