import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What a tool gave: its result, or the sentence of its error. */
export interface ToolResponse {
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of a result is what it asserts
  readonly result: any;
  readonly error: string | undefined;
  /** The text that a model reads. */
  readonly text: string;
}

/** A connected client of the protocol's own SDK. */
export async function mcpClient(url: string, options: { modern: boolean }): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: options.modern ? { pin: '2026-07-28' } : 'legacy' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  return client;
}

export async function callTool(
  client: Client,
  name: string,
  sent: Record<string, unknown> = {},
): Promise<ToolResponse> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: sent });
  const [first] = content;
  const text = first?.type === 'text' ? first.text : '';
  return { result: structuredContent, error: isError ? text : undefined, text };
}
