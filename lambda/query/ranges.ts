import { timeOf } from '../domain/moment.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { MarketFilter } from './market-filter.ts';

/**
 * @param asOf time of the data in ms, from which relative moments count
 * @throws ServiceError `invalid_parameter` (400) for a range that nothing can lie in
 */
export function checkRanges(filter: MarketFilter, asOf: number): void {
  const { minProbability, maxProbability, endsAfter, endsBefore } = filter;
  if (minProbability !== undefined && maxProbability !== undefined && minProbability > maxProbability) {
    throw new ServiceError(
      'invalid_parameter',
      `The parameter minProbability must be at most maxProbability: nothing lies between ${minProbability} and ${maxProbability}.`,
    );
  }
  if (endsAfter && endsBefore && timeOf(endsAfter, asOf) >= timeOf(endsBefore, asOf)) {
    throw new ServiceError(
      'invalid_parameter',
      'The parameter endsAfter must be earlier than endsBefore: nothing ends between them.',
    );
  }
}
