import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type CallToolResult,
  JSONRPCResultResponseSchema,
  ListToolsRequestSchema,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { siteFileSchema } from '@repoless/contract/site-file.ts';
import { assistant as messages } from '@repoless/core/messages/en/assistant.ts';
import { mapConcurrently } from '@repoless/core/run/retry.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Command, CommandFailure, type CommandResult, UsageProblem } from '../cli-context.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { apply } from '../commands/apply.ts';
import { check } from '../commands/check.ts';
import { prepareClone } from '../commands/clone.ts';
import { exportSites } from '../commands/export.ts';
import { plan, simulate } from '../commands/plan.ts';
import { status } from '../commands/status.ts';
import { prepareSync, syncGroups } from '../commands/sync.ts';
import { must } from '../connect.ts';
import { harmless, notKnown } from '../explain.ts';
import { fleetTools, historyTools } from './organization-tools.ts';
import { digestOf, FileInput, optionsFor, type Plans, type Tool, tool, type ToolContext, type ToolName, withFile } from './tool.ts';

const { parameters } = messages;
const Organization = z.string().min(1).describe(parameters.organization);

/** The commands for sites files, as tools. */
const siteTools: readonly Tool[] = [
  tool(
    'plan_sites',
    FileInput.extend({ allowContentChange: z.array(z.string()).optional().describe(parameters.contentChanges) }),
    async (toolContext, { allowContentChange = [], ...input }) => {
      const { context, options } = withFile(toolContext, input, { contentChanges: allowContentChange });
      const planned = await plan(context, options);
      if (planned.code === 1) return { ...planned, lines: [...planned.lines, messages.refused.blocked] };
      if (planned.code === 0) return planned;
      return { ...planned, proposal: { reviewed: JSON.stringify(planned.json), run: () => apply(context, options) } };
    },
  ),
  tool(
    'apply_plan',
    z.strictObject({ planId: z.string().min(1).describe(parameters.planId) }),
    ({ applyPlan }, { planId }) => applyPlan(planId),
    true,
  ),
  ofFile('check_sites', check),
  ofFile('site_status', status),
  ofFile('simulate_mappings', simulate),
  tool(
    'plan_clone',
    z.strictObject({
      organization: Organization,
      from: z.string().min(1).describe(parameters.from),
      site: z.string().min(1).describe(parameters.newSite),
      contentRoot: z.string().min(1).describe(parameters.contentRoot),
    }),
    async (toolContext, { organization, from, site, contentRoot }) => {
      const options = optionsFor(toolContext, { organization, from, sites: [site], contentRoot });
      const { reviewed, tried, create } = await prepareClone(toolContext.context, options);
      return { ...tried, code: 3, proposal: { reviewed, run: create } };
    },
  ),
  tool(
    'export_sites',
    z.strictObject({ organization: Organization, author: z.string().optional().describe(parameters.author) }),
    (toolContext, { organization, author }) =>
      exportSites(toolContext.context, optionsFor(toolContext, { organization, ...(author === undefined ? {} : { author }) })),
  ),
];

/** A command that reads the file and writes nothing. */
function ofFile(name: ToolName, command: Command): Tool {
  return tool(name, FileInput, (toolContext, input) => {
    const { context, options } = withFile(toolContext, input);
    return command(context, options);
  });
}

const Branch = z.strictObject({
  organization: z.string().min(1).describe(parameters.organization),
  sites: FileInput.shape.sites,
  branch: z.string().min(1).optional().describe(parameters.branch),
});

/** The code of sites: its status and its sync. */
const syncTools: readonly Tool[] = [
  tool('sync_status', Branch, async (toolContext, input): Promise<CommandResult> => {
    const { groups, organization: org, ref, port } = await prepareSync(toolContext.context, optionsOf(toolContext, input));
    const found = await mapConcurrently(groups, AT_ONCE, async ({ owner, repo, sites }) => {
      const [site = ''] = sites;
      const status = await port.status({ org, site, ref });
      const { name, state, stopTime, error, data } = must(status, notKnown);
      return { owner, repo, sites, job: name, state, stopTime, error, sha: data?.sha };
    });
    const lines = found.map(({ owner, repo, sites, state, stopTime, error, sha }) =>
      messages.sync.status({ where: `${owner}/${repo}`, sites, state: state ?? 'none', sha, time: stopTime, error }),
    );
    return { code: 0, json: { organization: org, branch: ref, repositories: found }, lines };
  }),
  tool('plan_sync', Branch, async (toolContext, input) => {
    const options = optionsOf(toolContext, input);
    const prepared = await prepareSync(toolContext.context, options);
    const json = { organization: prepared.organization, branch: options.branch, repositories: prepared.groups };
    const lines = json.repositories.map(({ owner, repo, sites: shared }) => messages.sync.planned(`${owner}/${repo}`, shared));
    const run = () => syncGroups(toolContext.context, options, prepared);
    return { code: 3, json, lines, proposal: { reviewed: JSON.stringify(json), run } };
  }),
];

const AT_ONCE = 4;

function optionsOf(toolContext: ToolContext, { organization, sites = [], branch }: z.output<typeof Branch>) {
  return optionsFor(toolContext, { organization, sites, ...(branch === undefined ? {} : { branch }) });
}

export interface ToolServing extends Omit<ToolContext, 'applyPlan'> {
  readonly plans: Plans;
  /** The identifier of the assistant's request, passed on with the calls of its tools; absent: each has its own. */
  readonly requestId?: string;
  /** Maximum characters of an answer; absent: unlimited. */
  readonly longestAnswer?: number;
  /** Aborted when the caller stops waiting for a tool; absent: no limit. */
  readonly ends?: AbortSignal;
  /** A line for tools of the authoring system if there is no token for it; absent: their own messages suffice. */
  readonly noAuthoringToken?: string;
  /** The message for an error that no tool explains; absent: the protocol's. */
  explain?(error: unknown): string;
}

/** Tools that read the authoring system if they can. */
const OF_AUTHORING: readonly ToolName[] = ['plan_sites', 'check_sites', 'simulate_mappings', 'plan_clone'];

/** The commands as tools of the Model Context Protocol, with their prompts and resource; not connected yet. */
export function createToolServer(serving: ToolServing): McpServer {
  const server = new McpServer({ name: 'repoless', version: VERSION }, { instructions: messages.instructions });
  const { context, ends, requestId } = serving;
  const named = { ...serving, context: { ...context, fetch: asAssistant(context.fetch, requestId) } };
  const toolContext: ToolContext = { ...named, applyPlan: (id) => applyPlan(toolContext, serving.plans, id) };
  registerTools(server, (tool, input) => untilEnd(ends, answerOf(tool, toolContext, input, serving)));
  server.server.setRequestHandler(ListToolsRequestSchema, listedTools);
  const schema = { ...messages.schema, mimeType: 'application/schema+json' };
  server.registerResource('sites-file-schema', SCHEMA_ADDRESS, schema, () => ({
    contents: [{ uri: SCHEMA_ADDRESS, mimeType: schema.mimeType, text: schemaText() }],
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

/** Makes a plan again, and applies it if it still is what was shown; throws CommandFailure if it is not, or is unknown. */
async function applyPlan(toolContext: ToolContext, plans: Plans, id: string): Promise<CommandResult> {
  const stored = await plans.take(id);
  const tool = TOOLS.find(({ name }) => name === stored?.tool);
  if (stored === undefined || tool === undefined) throw new CommandFailure(messages.refused.unknown(id));
  const { proposal } = await tool.run(toolContext, stored.input);
  if (proposal === undefined || digestOf(proposal) !== stored.digest) throw new CommandFailure(messages.refused.changed);
  return proposal.run();
}

async function answerOf(tool: Tool, toolContext: ToolContext, input: unknown, serving: ToolServing): Promise<CallToolResult> {
  const { plans, longestAnswer = Number.POSITIVE_INFINITY, explain, noAuthoringToken } = serving;
  const hint = noAuthoringToken !== undefined && OF_AUTHORING.includes(tool.name) ? [noAuthoringToken] : [];
  try {
    const { code, json, lines, isUnfinished = false, proposal } = await tool.run(toolContext, input);
    // An interrupted tool has not read everything.
    if (!tool.writes && toolContext.context.signal.aborted) throw new CommandFailure(messages.refused.cutOff);
    const result = JSON.stringify(json);
    const printed = harmless([...lines, ...hint].join('\n'));
    if (result.length + printed.length > longestAnswer) throw new CommandFailure(messages.refused.longAnswer);
    const planId = proposal === undefined ? undefined : await plans.store({ tool: tool.name, input, digest: digestOf(proposal) });
    const text = planId === undefined ? printed : `${printed}\n\n${messages.plan.stored(planId)}`;
    // A call has less time than the service's work may take: that is reported, not as a failure.
    const exitCode = isUnfinished ? 0 : code;
    const answer = { exitCode, ...(planId === undefined ? {} : { planId }), result: json };
    return { content: [{ type: 'text', text }], structuredContent: answer, isError: tool.writes && exitCode !== 0 };
  } catch (error) {
    return failed([...sentencesOf(error, explain), ...hint]);
  }
}

function failed(lines: readonly string[]): CallToolResult {
  return { content: [{ type: 'text', text: harmless(lines.join('\n')) }], isError: true };
}

/** The answer, or a message when waiting ends. */
function untilEnd(ends: AbortSignal | undefined, answer: Promise<CallToolResult>): Promise<CallToolResult> {
  if (ends === undefined) return answer;
  const ended = new Promise<CallToolResult>((resolve) => {
    ends.addEventListener('abort', () => resolve(failed([messages.refused.tooSlow])), { once: true });
  });
  return Promise.race([answer, ended]);
}

function sentencesOf(error: unknown, explain: ToolServing['explain']): string[] {
  if (error instanceof UsageProblem) return [...error.locations.map(locationLine), error.message];
  if (error instanceof CommandFailure) return [error.message];
  if (explain === undefined) throw error;
  return [explain(error)];
}

function locationLine({ line, column, pointer, sentence }: UsageProblem['locations'][number]): string {
  return line === 0 ? `${pointer}: ${sentence}` : `${line}:${column}: ${sentence}`;
}

/** Marks each call in its request id, which the audit trail and the service's log store, as made by an assistant. */
function asAssistant(fetching: typeof fetch, requestId: string | undefined): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-request-id', `mcp:${requestId?.slice(0, LONGEST_ID) ?? randomUUID()}`);
    return fetching(input, { ...init, headers });
  };
}

/** Characters; the service accepts request ids of at most 128. */
const LONGEST_ID = 100;

export const TOOLS: readonly Tool[] = [...siteTools, ...syncTools, ...historyTools, ...fleetTools];

/** Registers the tools with a server of the official SDK, which calls them through `call`. */
export function registerTools(server: McpServer, call: (tool: Tool, input: unknown) => Promise<CallToolResult>): void {
  for (const tool of TOOLS) {
    const { title, description } = messages.tools[tool.name];
    const annotations = { title, readOnlyHint: !tool.writes, destructiveHint: tool.writes, openWorldHint: false };
    server.registerTool(tool.name, { title, description, inputSchema: tool.input, annotations }, (input: unknown) => call(tool, input));
  }
}

/** The schema of the sites file as JSON, and the SDK's list of tools: the same for every caller, so each is created once. */
export const schemaText = once(() => JSON.stringify(siteFileSchema()));
export const listedTools = once(async () => {
  const server = new McpServer({ name: 'repoless', version: VERSION });
  registerTools(server, () => Promise.reject(new Error('This server lists its tools, and calls none.')));
  const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair();
  const answer = new Promise<unknown>((resolve) => (clientTransport.onmessage = resolve));
  await server.connect(serverTransport);
  await clientTransport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const { result } = JSONRPCResultResponseSchema.parse(await answer);
  await server.close();
  return ownList(result);
});

function once<T>(make: () => T): () => T {
  let cached: { readonly value: T } | undefined;
  return () => (cached ??= { value: make() }).value;
}

// Safe: the SDK's own answer to a request for its tools.
function ownList(result: unknown): ListToolsResult {
  return result as ListToolsResult;
}
