/** Makes the local servers listen, with a clear error if a port or an address cannot be used. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { OptionError } from './faults.ts';

/** How many connections may wait. With Node's default of 511, a burst of 1,000 gets resets. */
const BACKLOG = 4_096;

/** A sentence for a person, by Node's error code. */
const PROBLEMS: Readonly<Record<string, (port: number, host: string) => string>> = {
  EADDRINUSE: (port) => `Port ${port} is in use: choose another with --port.`,
  EACCES: (port) => `Port ${port} is reserved: choose another with --port.`,
  EADDRNOTAVAIL: (_port, host) =>
    `This machine does not have the address ${host}: choose another with --host.`,
};

/**
 * Makes a server listen.
 *
 * @param port 0 for any free port
 * @returns a URL for this machine, without a trailing slash
 * @throws OptionError if the port or address cannot be used
 */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = PROBLEMS[error.code ?? '']?.(port, host);
      reject(problem === undefined ? error : new OptionError(problem));
    });
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const name =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (isIPv6(host) ? `[${host}]` : host);
  return `http://${name}:${(server.address() as AddressInfo).port}`;
}

/** Checks that a server could listen. @throws OptionError if `listen` would throw it */
export async function requireFreePort(port: number, host: string): Promise<void> {
  const server = createServer();
  await listen(server, port, host);
  await new Promise((resolve) => server.close(resolve));
}
