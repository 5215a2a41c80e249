import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import type { AssistantMessage } from '@repoless/contract/assistant.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Context } from '../domain/context.ts';
import type { Store } from '../domain/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { assistant as messages } from '@repoless/core/messages/en/assistant.ts';
import { createToolServer } from '@repoless/command-line/mcp/create-tool-server.ts';
import { wait } from '@repoless/core/api/exchange.ts';
import { OrgName, SiteName } from '@repoless/contract/names.ts';
import { storedPlans } from './stored-plans.ts';

/** What is known about the assistant's user. */
export type AssistantContext = Pick<Context, 'caller' | 'requestId' | 'now' | 'newId'> & { readonly store: Pick<Store, 'shortLived'> };

export interface AssistantServices {
  /** Scheme, host and port of the service, without a trailing slash. */
  readonly publicAddress: string;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  /** Requests to the service itself, until the signal ends them. */
  fetchUntil(end: AbortSignal): typeof fetch;
  /** Logs an unexpected error. */
  failed(requestId: string, error: unknown): void;
}

/** A message of the protocol, with its request. */
export interface ReceivedMessage {
  readonly message: AssistantMessage;
  readonly protocolVersion: string | undefined;
  /** The caller's own tokens, for this message only. */
  readonly token: string;
  readonly authoringToken: string | undefined;
}

/**
 * Answers one message through the official SDK, with a separate server: nothing is kept for the next one (docs/contract.md 10.1).
 * Undefined: there is nothing to answer.
 */
export async function answerAssistant(services: AssistantServices, context: AssistantContext, asked: ReceivedMessage): Promise<unknown> {
  const bounds = timeBounds();
  const server = toolServer(services, context, asked, bounds);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(ownTypes(transport));
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(asked.protocolVersion !== undefined && { 'mcp-protocol-version': asked.protocolVersion }),
    };
    const request = new Request(`${services.publicAddress}/mcp`, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: asked.message });
    return await answerOf(response);
  } finally {
    bounds.clear();
    await server.close();
  }
}

function toolServer(
  { publicAddress: service, box, fetchUntil, failed }: AssistantServices,
  context: AssistantContext,
  { token, authoringToken }: ReceivedMessage,
  { soon, end }: TimeBounds,
) {
  const nothing = () => undefined;
  return createToolServer({
    context: {
      env: {
        REPOLESS_SERVICE: service,
        REPOLESS_TOKEN: token,
        ...(authoringToken !== undefined && { REPOLESS_AUTHORING_TOKEN: authoringToken }),
      },
      cwd: '',
      configDirectory: '',
      fetch: fetchUntil(end),
      signal: soon,
      out: nothing,
      err: nothing,
      readIn: async () => '',
      wait,
      now: context.now,
    },
    options: { service, concurrency: SITE_CONCURRENCY },
    plans: storedPlans(context, box),
    requestId: context.requestId,
    jsonFile: { characters: LIMITS.assistantFile, values: LIMITS.assistantFileValues },
    longestAnswer: LIMITS.assistantAnswer,
    ends: end,
    ...(authoringToken === undefined && { noAuthoringToken: messages.noAuthoringToken }),
    explain: (error) => {
      if (error instanceof Refusal) return error.message;
      failed(context.requestId, error);
      return `Something unexpected happened. Report it with the request id ${context.requestId}.`;
    },
  });
}

const SITE_CONCURRENCY = 4;

interface TimeBounds {
  /** Running calls finish, no further ones start. */
  readonly soon: AbortSignal;
  /** Stops waiting. */
  readonly end: AbortSignal;
  clear(): void;
}

function timeBounds(): TimeBounds {
  const [soon, end] = [new AbortController(), new AbortController()];
  const timers = [
    setTimeout(() => soon.abort(), LIMITS.assistantCallTime),
    setTimeout(() => end.abort(), LIMITS.assistantCallTime + TO_FINISH),
  ];
  return {
    soon: soon.signal,
    end: end.signal,
    clear() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Milliseconds; both together are less than the idle timeout of a connection. */
const TO_FINISH = 15_000;

const Failed = z.object({ error: z.object({ message: z.string() }) });

/** What the transport does not accept as a message is refused like any invalid body. */
async function answerOf(response: Response): Promise<unknown> {
  if (response.status === 202) return undefined;
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { data } = Failed.safeParse(answer);
  throw new Refusal('BODY_INVALID', data?.error.message ?? 'This is not a message of the protocol.');
}

// Safe: the SDK's own transport; the optional members of its types are not exact.
function ownTypes(transport: unknown): Parameters<ReturnType<typeof createToolServer>['connect']>[0] {
  return transport as Parameters<ReturnType<typeof createToolServer>['connect']>[0];
}

const Call = z.object({ params: z.object({ arguments: z.unknown() }) });
const Input = z.object({
  organization: z.unknown().optional(),
  site: z.unknown().optional(),
  sites: z.array(z.unknown()).optional(),
  file: z.string().max(LIMITS.assistantFile).optional(),
  planId: z.string().optional(),
});
type Input = z.infer<typeof Input>;

/**
 * The organization of a tool call: the one that it, its file or its plan names, if the caller has a role there or on the first site that it
 * names. Undefined otherwise, so that no one uses up the share of an organization in which they have no role.
 */
export async function organizationOfCall(
  context: AssistantContext,
  box: Pick<SecretBox, 'seal' | 'open'>,
  message: AssistantMessage,
  isMember: (org: string, site: string | undefined) => Promise<boolean>,
): Promise<string | undefined> {
  const called = inputOf(Call.safeParse(message).data?.params.arguments);
  const input = called.planId === undefined ? called : inputOf((await storedPlans(context, box).look(called.planId))?.input);
  const { organization, sites: [first] = [] } = { ...fileOf(input), ...input };
  const org = OrgName.safeParse(organization).data;
  if (org === undefined) return undefined;
  return (await isMember(org, SiteName.safeParse(input.site ?? nameOf(first)).data)) ? org : undefined;
}

function inputOf(value: unknown): Input {
  return Input.safeParse(value).data ?? {};
}

function fileOf({ file }: Input): Input {
  try {
    return file === undefined ? {} : inputOf(JSON.parse(file));
  } catch {
    // The tool reports the error.
    return {};
  }
}

/** The name of a site in a tool's input, or in a file. */
function nameOf(site: unknown): unknown {
  return typeof site === 'object' && site !== null && 'name' in site ? site.name : site;
}
