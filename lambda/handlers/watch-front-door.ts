import { readEnvironment } from '../contract/environment.ts';
import { createNodeFetch } from '../http-client/node-fetch.ts';
import { systemClock } from '../platform/clock.ts';
import { telemetry } from '../platform/telemetry.ts';
import { watchFrontDoor } from '../watch/front-door.ts';

const settings = readEnvironment('watch-front-door', process.env);
const { logger } = telemetry('watch-front-door');

/** Invoked by a schedule of its own. */
export const handler = watchFrontDoor({
  url: settings.FRONT_DOOR_URL,
  fetch: createNodeFetch(),
  clock: systemClock,
  logger,
});
