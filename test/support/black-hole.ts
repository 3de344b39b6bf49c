import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** An address at which nothing is ever said, as behind a firewall that has forgotten whom it let through. */
export interface BlackHole {
  readonly url: string;
  close(): Promise<void>;
}

/** Listens with the shortest queue there is and then stands still, so that nobody takes a connection out of it. */
const LISTEN_AND_STAND_STILL = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;

/** A connection on this machine that is not there by then is not taken. */
const CONNECT_MS = 250;

/** @param takes whether connections are taken: the first few are; otherwise the queue is full from the beginning */
export async function startBlackHole(takes: boolean): Promise<BlackHole> {
  const worker = new Worker(LISTEN_AND_STAND_STILL, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const queue = takes ? [] : await fillQueue(port);
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of queue) socket.destroy();
      await worker.terminate();
    },
  };
}

/** Connects until a connection is not taken any more. */
async function fillQueue(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let taken = true; taken; ) {
    // Ended with the listener, which is no error here.
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    taken = await Promise.race([once(socket, 'connect').then(() => true), wait(CONNECT_MS, false)]);
  }
  return sockets;
}
