import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';
import { createToolServer } from './create-tool-server.ts';
import { plansInMemory } from './tool.ts';

/** The commands as tools of the Model Context Protocol, on standard input and output, until the client disconnects. */
export async function serveMcp(context: CliContext, options: Options): Promise<CommandResult> {
  const server = createToolServer({ context, options, plans: plansInMemory(context.now) });
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
    context.signal.addEventListener('abort', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  return { code: 0, json: {}, lines: [] };
}
