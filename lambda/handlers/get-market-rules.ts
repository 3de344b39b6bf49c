import { type CreateHandler, limitedHandler, marketRulesDeps } from '../app/create-handler.ts';
import { getMarketRules } from '../extras/rules/market-rules.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'get-market-rules', (context) => getMarketRules(marketRulesDeps(context)));
