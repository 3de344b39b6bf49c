import { join } from 'node:path';
import { ROUTES } from '../../../lambda/contract/routes.ts';
import type { ClientCheck } from './client-check.ts';

/** Public tools of the Model Context Protocol, from npm when they are needed: they are large. */
const CONFORMANCE = '@modelcontextprotocol/conformance@0.1.16';
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

/** What the tools are run with against a service. */
export function protocolChecks(baseUrl: string): readonly ClientCheck[] {
  const url = `${baseUrl}${ROUTES.mcp.path}`;
  const expected = join(import.meta.dirname, 'conformance.yaml');
  const inspector = (name: string, ...args: readonly string[]): ClientCheck => ({
    name: `MCP inspector, ${name}`,
    program: 'npx',
    args: ['--yes', INSPECTOR, '--cli', url, '--transport', 'http', '--method', ...args],
  });
  return [
    {
      name: 'MCP conformance',
      program: 'npx',
      args: ['--yes', CONFORMANCE, 'server', '--url', url, '--expected-failures', expected],
    },
    inspector('the tools', 'tools/list', '--strict'),
    inspector('a call', 'tools/call', '--tool-name', 'list_markets', '--tool-arg', 'limit=1'),
  ];
}
