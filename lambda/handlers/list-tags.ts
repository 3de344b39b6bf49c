import { listTags } from '../app/markets/tags.ts';
import { type CreateHandler, limitedHandler } from './wiring/limited.ts';
import { snapshotDeps } from './wiring/snapshot.ts';

export const create: CreateHandler = (environment) =>
  limitedHandler(environment, 'list-tags', (context) => listTags(snapshotDeps(context)));
