import { PLAN_LIFETIME, type Plans, type StoredPlan } from '@repoless/command-line/mcp/tool.ts';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { createHash } from 'node:crypto';
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
import { shareOf } from '../sessions/identity.ts';

export type AssistantContext = Pick<Context, 'caller' | 'requestId' | 'now' | 'newId'> & { readonly store: Pick<Store, 'shortLived'> };

interface AssistantServices {
  readonly publicAddress: string;
  readonly box: Pick<SecretBox, 'seal' | 'open'>;
  /** Requests to the service itself, until the signal ends them. */
  fetchUntil(end: AbortSignal): typeof fetch;
  failed(requestId: string, error: unknown): void;
}

interface ReceivedMessage {
  readonly message: AssistantMessage;
  readonly protocolVersion: string | undefined;
  /** The caller's own tokens, for this message only. */
  readonly token: string;
  readonly authoringToken: string | undefined;
}

/** Answers one message with a separate server: nothing is retained for the next one (docs/contract.md 10.1). Undefined: no answer. */
export async function answerAssistant(services: AssistantServices, context: AssistantContext, received: ReceivedMessage): Promise<unknown> {
  const limits = timeLimits();
  const server = toolServer(services, context, received, limits);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(ownTypes(transport));
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(received.protocolVersion !== undefined && { 'mcp-protocol-version': received.protocolVersion }),
    };
    const request = new Request(`${services.publicAddress}/mcp`, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: received.message });
    return await answerOf(response);
  } finally {
    limits.clear();
    await server.close();
  }
}

function toolServer(
  { publicAddress: service, box, fetchUntil, failed }: AssistantServices,
  context: AssistantContext,
  { token, authoringToken }: ReceivedMessage,
  { soon, end }: ReturnType<typeof timeLimits>,
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

function timeLimits() {
  const [soon, end] = [new AbortController(), new AbortController()];
  const timers = [
    setTimeout(() => soon.abort(), LIMITS.assistantCallTime),
    setTimeout(() => end.abort(), LIMITS.assistantCallTime + TO_FINISH),
  ];
  return {
    /** Running calls finish, no further ones start. */
    soon: soon.signal,
    /** Stops waiting. */
    end: end.signal,
    clear: () => timers.forEach(clearTimeout),
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
  const named = inputOf(Call.safeParse(message).data?.params.arguments);
  const input = named.planId === undefined ? named : inputOf((await storedPlans(context, box).peek(named.planId))?.input);
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

function nameOf(site: unknown): unknown {
  return typeof site === 'object' && site !== null && 'name' in site ? site.name : site;
}

/** The stored form; sealed, because it may contain what no one else may read. `key` is for nodes of the previous version. */
const Stored = z.object({ key: z.string(), until: z.number(), sealed: z.string() });
const Opened = z.object({ tool: z.string(), input: z.unknown(), digest: z.string() });

/**
 * The plans of a caller, for every node and beyond a restart. The key of a plan includes its caller: it is not found with another token. It
 * is taken in one step, so of two who apply it one succeeds (docs/contract.md 10.3). A caller who creates more than the limit displaces
 * their own.
 */
function storedPlans({ store: { shortLived }, caller, now, newId }: AssistantContext, box: Pick<SecretBox, 'seal' | 'open'>): StoredPlans {
  const share = `${hashOf(shareOf(caller))} `;
  const own = caller.kind === 'user' && caller.key !== undefined ? `${share}${hashOf(caller.email.toLowerCase())} ` : share;
  const keyOf = (id: string) => own + hashOf(id);
  const displaceOldest = async () => {
    await shortLived.retainLatest('plan', LIMITS.assistantPlans - 1, own);
    if (own !== share) await shortLived.retainLatest('plan', LIMITS.assistantPlansOfKeys - 1, share);
    if ((await shortLived.count('plan')) >= LIMITS.openAssistantPlans) await shortLived.displace('plan', share.length);
  };
  return {
    async store(plan) {
      const text = JSON.stringify(plan);
      if (text.length > LIMITS.assistantInput) {
        const message = `The plan has more than ${LIMITS.assistantInput} characters, which is the limit. Plan fewer changes at once.`;
        throw new Refusal('BODY_TOO_LARGE', message);
      }
      await displaceOldest();
      const id = newId();
      const key = keyOf(id);
      const until = now().getTime() + PLAN_LIFETIME;
      await shortLived.add('plan', key, { key, until, sealed: box.seal(text, sealedFor(key)) }, new Date(until));
      return id;
    },
    async peek(id) {
      const key = keyOf(id);
      const stored = Stored.safeParse(await shortLived.get('plan', key));
      return stored.success ? opened(box, key, stored.data.sealed) : undefined;
    },
    async take(id) {
      const key = keyOf(id);
      const stored = Stored.safeParse(await shortLived.take('plan', key));
      return stored.success && stored.data.until >= now().getTime() ? opened(box, key, stored.data.sealed) : undefined;
    },
  };
}

interface StoredPlans extends Plans {
  /** The plan, without taking it. */
  peek(id: string): Promise<StoredPlan | undefined>;
}

/** A plan sealed by a missing key no longer counts. */
function opened(box: Pick<SecretBox, 'open'>, key: string, sealed: string): StoredPlan | undefined {
  try {
    const { tool, input, digest } = Opened.parse(JSON.parse(box.open(sealed, sealedFor(key)).reveal()));
    return { tool, input, digest };
  } catch {
    return undefined;
  }
}

function sealedFor(key: string) {
  return { org: '', site: '', name: `plan ${key}` };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
