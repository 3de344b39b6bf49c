import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiDefinition } from '../packages/cdk-local/src/api-gateway/api-definition.ts';
import type { Gateway } from '../packages/cdk-local/src/api-gateway/gateway.ts';
import type { Listener } from '../packages/cdk-local/src/http/listener.ts';
import { aroundFrontDoor, throughFrontDoor } from './front-door.ts';
import type { ServiceEvents } from './service-events.ts';

const TOO_MANY_REQUESTS = 429;
/**
 * A flood from this very machine meets no network: without a pause as long as a round trip to a region, a loop of
 * refused requests would take the processor from everybody else, which it cannot do in AWS.
 */
const ROUND_TRIP_MS = 50;

export interface Doors {
  readonly frontDoor: Listener;
  readonly inner: Listener;
  readonly gateway: Gateway;
  readonly api: ApiDefinition;
  readonly publicKey: string;
  readonly events: EventEmitter<ServiceEvents>;
}

/** Lets requests in: through the front door, and around it straight to the API. */
export function openDoors({ frontDoor, inner, gateway, api, publicKey, events }: Doors): void {
  frontDoor.serve(
    async (request) => {
      const answer = await gateway.handle(throughFrontDoor(request, publicKey, inner.authority));
      if (answer.status === TOO_MANY_REQUESTS) await wait(ROUND_TRIP_MS);
      return answer;
    },
    (answered) => events.emit('request', { ...answered, via: 'front door' }),
  );
  inner.serve(
    async (request) => {
      const around = aroundFrontDoor(request, api.stage.name);
      return around === undefined ? FORBIDDEN : gateway.handle(around);
    },
    (answered) => events.emit('request', { ...answered, via: 'api' }),
  );
}

/** What execute-api answers where there is no such stage. */
const FORBIDDEN = {
  status: 403,
  headers: [
    ['Content-Type', 'application/json'] as const,
    ['x-amzn-ErrorType', 'ForbiddenException'] as const,
  ],
  body: Buffer.from('{"message":"Forbidden"}'),
};
