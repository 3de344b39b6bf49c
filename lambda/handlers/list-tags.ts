import { listTags } from '../endpoints/list-tags.ts';
import { type CreateHandler, countedHandler, snapshotDeps } from './create-handler.ts';

export const create: CreateHandler = (environment) =>
  countedHandler(environment, 'list-tags', (context) => listTags(snapshotDeps(context)));
