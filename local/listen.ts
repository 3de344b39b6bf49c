import type { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiDefinition, Gateway, HttpResponse, Listener, StaticSite } from 'cdk-local';
import { aroundFrontDoor, type FrontDoor, throughFrontDoor } from './front-door.ts';
import type { ServiceEvents } from './service-events.ts';

const TOO_MANY_REQUESTS = 429;
/**
 * A flood from this very machine meets no network: without a pause as long as a round trip to a region, a loop of
 * refused requests would take the processor from everybody else, which it cannot do in AWS.
 */
const ROUND_TRIP_MS = 50;

export interface ListenOptions {
  /** Where callers begin. */
  readonly outer: Listener;
  /** Serves the API itself; the same one where there is no front door. */
  readonly inner: Listener;
  readonly frontDoor: FrontDoor | undefined;
  readonly gateway: Gateway;
  readonly api: ApiDefinition;
  /** The files that the distribution serves beside the API. */
  readonly site: StaticSite | undefined;
  readonly events: EventEmitter<ServiceEvents>;
}

/** Lets requests in: through the front door, where there is one, and straight to the API. */
export function listen({ outer, inner, frontDoor, gateway, api, site, events }: ListenOptions): void {
  if (frontDoor !== undefined) {
    outer.serve(
      async (request) =>
        site?.respond(request) ??
        frontDoor.viewerFunction?.(request) ??
        slowed(await gateway.handle(throughFrontDoor(request, frontDoor, inner.authority))),
      (served) => events.emit('request', { ...served, via: 'front door' }),
    );
  }
  inner.serve(
    async (request) => {
      const around = aroundFrontDoor(request, api.stage.name);
      if (around === undefined) return FORBIDDEN;
      const response = await gateway.handle(around);
      return frontDoor === undefined ? slowed(response) : response;
    },
    (served) => events.emit('request', { ...served, via: 'api' }),
  );
}

async function slowed(response: HttpResponse): Promise<HttpResponse> {
  if (response.status === TOO_MANY_REQUESTS) await wait(ROUND_TRIP_MS);
  return response;
}

/** What execute-api responds where there is no such stage. */
const FORBIDDEN = {
  status: 403,
  headers: [
    ['Content-Type', 'application/json'] as const,
    ['x-amzn-ErrorType', 'ForbiddenException'] as const,
  ],
  body: Buffer.from('{"message":"Forbidden"}'),
};
