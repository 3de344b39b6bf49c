import { ServiceError } from '../../core/domain/service-error.ts';
import { withField } from '../../core/query/market-rows.ts';
import type { Endpoint, EndpointRequest } from '../../http/pipeline.ts';

/**
 * `get-market` with the market's rules, for agents. `null` if they cannot be read at the moment.
 */
export function withRules(
  market: Endpoint<'get-market'>,
  rules: Endpoint<'get-market-rules'>,
): Endpoint<'get-market'> {
  const read = async (request: EndpointRequest<'get-market'>) => {
    try {
      const { description, resolutionSource, readAt } = JSON.parse(
        (await rules({ ...request, headers: {} })).body,
      );
      return { description, resolutionSource, readAt };
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  };
  return async (request) => {
    const [response, found] = await Promise.all([market(request), read(request)]);
    return { ...response, body: withField(response.body, 'rules', JSON.stringify(found)) };
  };
}
