import { listTags } from '../endpoints/list-tags.ts';
import { type CreateHandler, snapshotHandler } from './create-handler.ts';

export const create: CreateHandler = (environment) => snapshotHandler(environment, 'list-tags', listTags);
