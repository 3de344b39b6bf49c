import { type CreateHandler, limitedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listTags } from '../app/markets/tags.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-tags', (context) => listTags(snapshotDeps(context)));
