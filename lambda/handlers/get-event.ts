import { getEvent } from '../endpoints/list-events.ts';
import { snapshotHandler } from './create-handler.ts';

export const handler = snapshotHandler('get-event', getEvent);
