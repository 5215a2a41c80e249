import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { JSONRPCResultResponseSchema } from '@modelcontextprotocol/sdk/types.js';
import { siteFileSchema } from '#contract/site-file-schema.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import { VERSION } from '../version.ts';
import { fleetTools } from './fleet-tools.ts';
import { historyTools } from './history-tools.ts';
import { siteTools } from './site-tools.ts';
import { syncTools } from './sync-tools.ts';
import type { Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [...siteTools, ...syncTools, ...historyTools, ...fleetTools];

/** Names the tools to a server of the official SDK, which answers calls of them by `call`. */
export function registerTools(server: McpServer, call: (tool: Tool, input: unknown) => Promise<CallToolResult>): void {
  for (const tool of TOOLS) {
    const { title, description } = messages.tools[tool.name];
    const annotations = { title, readOnlyHint: !tool.writes, destructiveHint: tool.writes, openWorldHint: false };
    server.registerTool(tool.name, { title, description, inputSchema: tool.input, annotations }, (input: unknown) => call(tool, input));
  }
}

/** The schema of the sites file as JSON, and the list of tools as the SDK makes it: the same for every caller, so each is made once. */
export const schemaText = once(() => JSON.stringify(siteFileSchema()));
export const listedTools = once(async () => {
  const server = new McpServer({ name: 'repoless', version: VERSION });
  registerTools(server, () => Promise.reject(new Error('This server lists its tools, and calls none.')));
  const [asking, answering] = InMemoryTransport.createLinkedPair();
  const answer = new Promise<unknown>((resolve) => (asking.onmessage = resolve));
  await server.connect(answering);
  await asking.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { result } = JSONRPCResultResponseSchema.parse(await answer);
  await server.close();
  return ownList(result);
});

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

// Safe: the SDK's own answer to the question for its tools.
function ownList(result: unknown): ListToolsResult {
  return result as ListToolsResult;
}
