import { listTags } from '../endpoints/list-tags.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('list-tags', listTags);
