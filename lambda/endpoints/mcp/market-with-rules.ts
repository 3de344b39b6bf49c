import { ServiceError } from '../../core/domain/service-error.ts';
import { withField } from '../../core/query/market-rows.ts';
import type { Endpoint, EndpointRequest } from '../../http/endpoint.ts';

/**
 * Adds the market's rules to the endpoint `get-market`, for agents. The field `rules` is `null` if
 * the rules cannot be read at the moment.
 */
export function withRules(
  getMarket: Endpoint<'get-market'>,
  getRules: Endpoint<'get-market-rules'>,
): Endpoint<'get-market'> {
  const readRules = async (request: EndpointRequest<'get-market'>) => {
    try {
      // Without `If-None-Match`, so that the response is never an empty 304.
      const { body } = await getRules({ ...request, headers: {} });
      const { description, resolutionSource, readAt } = JSON.parse(body);
      return { description, resolutionSource, readAt };
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  };
  return async (request) => {
    const [response, rules] = await Promise.all([getMarket(request), readRules(request)]);
    return { ...response, body: withField(response.body, 'rules', JSON.stringify(rules)) };
  };
}
