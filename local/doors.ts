import type { EventEmitter } from 'node:events';
import type { ApiDefinition } from './api-gateway/api-definition.ts';
import type { Gateway } from './api-gateway/gateway.ts';
import { aroundFrontDoor, throughFrontDoor } from './front-door.ts';
import type { Listener } from './http/listener.ts';
import type { ServiceEvents } from './service-events.ts';

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
    (request) => gateway.handle(throughFrontDoor(request, publicKey, inner.authority)),
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
