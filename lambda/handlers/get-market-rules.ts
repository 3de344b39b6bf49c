import { getMarketRules } from '../extras/rules/market-rules.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { marketRulesDeps } from './wiring/rules.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-market-rules', (context) => getMarketRules(marketRulesDeps(context)));
