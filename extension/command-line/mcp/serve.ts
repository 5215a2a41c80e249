import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { SiteFile } from '#contract/site-file.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import type { Options } from '../arguments.ts';
import { CommandFailure, UsageProblem } from '../cli-context.ts';
import type { CliContext, CommandResult } from '../cli-context.ts';
import { VERSION } from '../version.ts';
import { fleetTools } from './fleet-tools.ts';
import { historyTools } from './history-tools.ts';
import { createProposals } from './proposals.ts';
import type { Proposals } from './proposals.ts';
import { siteTools } from './site-tools.ts';
import type { Tool, ToolContext } from './tool.ts';

/** The commands as tools of the Model Context Protocol, on standard input and output, until the client leaves. */
export async function serveMcp(context: CliContext, options: Options): Promise<CommandResult> {
  const server = createServer({ ...context, fetch: named(context.fetch) }, options);
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', () => void server.close());
    context.signal.addEventListener('abort', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await ended;
  return { code: 0, json: {}, lines: [] };
}

function createServer(context: CliContext, options: Options): McpServer {
  const server = new McpServer({ name: 'repoless', version: VERSION }, { instructions: messages.instructions });
  const proposals = createProposals(context.now);
  const given: ToolContext = { context, options, applyPlan: (id) => proposals.apply(id) };
  for (const tool of [...siteTools, ...historyTools, ...fleetTools]) {
    const { title, description } = messages.tools[tool.name];
    const annotations = { title, readOnlyHint: !tool.writes, destructiveHint: tool.writes, openWorldHint: false };
    server.registerTool(tool.name, { title, description, inputSchema: tool.input, annotations }, (input: unknown) =>
      answerOf(tool, given, input, proposals),
    );
  }
  const schema = { ...messages.schema, mimeType: 'application/schema+json' };
  server.registerResource('sites-file-schema', SCHEMA_ADDRESS, schema, () => ({
    contents: [{ uri: SCHEMA_ADDRESS, mimeType: schema.mimeType, text: JSON.stringify(z.toJSONSchema(SiteFile, { io: 'input' })) }],
  }));
  for (const [name, { title, description, text }] of Object.entries(messages.prompts)) {
    const argsSchema = { organization: z.string().describe(messages.parameters.organization) };
    server.registerPrompt(name, { title, description, argsSchema }, ({ organization }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: text(organization) } }],
    }));
  }
  return server;
}

const SCHEMA_ADDRESS = 'repoless://sites-file-schema';

async function answerOf(tool: Tool, given: ToolContext, input: unknown, proposals: Proposals): Promise<CallToolResult> {
  try {
    const { code, json, lines, proposal } = await tool.run(given, input);
    const planId = proposal === undefined ? undefined : proposals.keep(proposal);
    const text = [...lines, ...(planId === undefined ? [] : ['', messages.plan.kept(planId)])].join('\n');
    const answer = { exitCode: code, ...(planId === undefined ? {} : { planId }), result: json };
    return { content: [{ type: 'text', text }], structuredContent: answer, isError: tool.writes && code !== 0 };
  } catch (error) {
    if (!(error instanceof UsageProblem || error instanceof CommandFailure)) throw error;
    const places = error instanceof UsageProblem ? error.places : [];
    const lines = [...places.map(({ line, column, sentence }) => `${line}:${column}: ${sentence}`), error.message];
    return { content: [{ type: 'text', text: lines.join('\n') }], isError: true };
  }
}

/** Each call says in its identifier, which the audit trail and the service's log keep, that an assistant made it. */
function named(fetching: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-request-id', `mcp:${randomUUID()}`);
    return fetching(input, { ...init, headers });
  };
}
