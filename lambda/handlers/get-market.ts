import { getMarket } from '../endpoints/get-market.ts';
import { pipeline } from '../http/pipeline.ts';
import { systemClock } from '../platform/clock.ts';
import { dynamoDbClient } from '../platform/dynamodb.ts';
import { createSnapshotCache } from '../snapshots/snapshot-cache.ts';
import { type CreateHandler, countedContext, liveUnlistedMarkets } from './create-handler.ts';

export const create: CreateHandler = (environment) => {
  const { settings, logger, rateLimit } = countedContext('get-market', environment);
  const snapshots = createSnapshotCache({
    client: dynamoDbClient(environment),
    table: settings.SNAPSHOT_TABLE,
    logger,
  });
  snapshots.warm();
  const endpoint = getMarket({ snapshots, now: systemClock.now }, liveUnlistedMarkets(settings, logger));
  return pipeline({ route: 'get-market', logger, rateLimit, endpoint });
};
