import { type CreateHandler, countedHandler, snapshotDeps } from '../app/create-handler.ts';
import { listTags } from '../app/markets/tags.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-tags', (context) => listTags(snapshotDeps(context)));
