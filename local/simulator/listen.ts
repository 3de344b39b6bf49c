import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OptionError } from './faults.ts';

/** Connections that may wait while the process is busy. With the 511 of Node.js, a burst of 1,000 gets resets. */
const BACKLOG = 4_096;

/**
 * Listens on 127.0.0.1.
 *
 * @param port 0: any free port
 * @returns the address, without a slash at the end
 * @throws OptionError when the port cannot be used
 */
export async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      if (code !== 'EADDRINUSE' && code !== 'EACCES') reject(error);
      reject(
        new OptionError(`Port ${port} is ${code === 'EACCES' ? 'reserved' : 'in use'}: choose another with --port.`),
      );
    });
    server.listen({ port, host: '127.0.0.1', backlog: BACKLOG }, resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
