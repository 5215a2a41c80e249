import type { assistantEndpoints } from '@repoless/contract/assistant.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Settings } from '../config.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, type FairShare, yieldToEventLoop } from '../domain/fair-share.ts';
import type { HttpOperation } from '../http/answer.ts';
import { authoringToken } from '../http/authoring-proxy.ts';
import { presentedToken } from '../http/caller.ts';
import type { Log } from '../log.ts';
import type { AssistantContext } from '../mcp/answer-assistant.ts';
import type { OwnFetch, OwnService } from '../mcp/own-fetch.ts';
import { type Remote, responseOf } from '../remote/remote.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { shareOf } from '../sessions/identity.ts';

interface Services<C> {
  readonly publicAddress: string;
  /** Whether an address belongs to a preview or live host. */
  isSiteHost(address: URL): boolean;
  /** The client for those, if they are not this service's own. */
  readonly siteHosts?: Remote;
  readonly port: number;
  readonly box: SecretBox;
  readonly partners: Remote;
  readonly log: Pick<Log, 'failure'>;
  readonly tracing: Tracing;
  /** Whether the caller has a role in an organization, or on that site. */
  isMember(context: C, org: string, site: string | undefined): Promise<boolean>;
}

export interface Assistant<C> {
  readonly serveAssistant: HttpOperation<(typeof assistantEndpoints)['serveAssistant'], C>;
  close(): void;
}

/** The tools for assistants. Their modules are loaded with the first message. */
export function composeAssistant<C extends AssistantContext>(settings: Settings, services: Services<C>): Assistant<C> {
  const turns = createFairShare(CALLS);
  const messages = createFairShare(MESSAGES);
  let own: OwnFetch | undefined;
  const load = async () => {
    const [{ answerAssistant, organizationOfCall }, { ownFetch }] = await Promise.all([
      import('../mcp/answer-assistant.ts'),
      import('../mcp/own-fetch.ts'),
    ]);
    const { until } = (own ??= ownFetch(reachedFrom(settings, services)));
    const { publicAddress, box, log } = services;
    return { answerAssistant, organizationOfCall, dependencies: { publicAddress, box, fetchUntil: until, failed: log.failure } };
  };
  return {
    async serveAssistant(context, { body, headers }) {
      if (settings.MCP === 'off') throw new Refusal('ROUTE_NOT_FOUND', 'The tools for assistants are disabled here.');
      const token = presentedToken(headers)?.token ?? '';
      const call = { message: body, protocolVersion: headers['mcp-protocol-version'], token, authoringToken: authoringToken(headers) };
      const { answerAssistant, organizationOfCall, dependencies } = await load();
      const answer = () => answerAssistant(dependencies, context, call);
      const share = shareOf(context.caller);
      const isMember = (org: string, site: string | undefined) => services.isMember(context, org, site);
      const isCall = body['method'] === 'tools/call';
      const queuedAnswer = async () => enqueue(turns, answer, share, await organizationOfCall(context, dependencies.box, body, isMember));
      const answered = isCall ? await queuedAnswer() : await messages.run(share, () => yieldToEventLoop().then(answer));
      const event = isCall ? { event: toolOf(body) } : {};
      return answered === undefined ? { status: 202 } : { status: 200, body: answered, ...event };
    },
    close: () => own?.close(),
  };
}

/** Rejects with OVERLOADED if its turn does not come soon: clients wait no longer than for the call itself. */
async function enqueue<T>(turns: FairShare, call: () => Promise<T>, share: string, org: string | undefined): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), LIMITS.assistantCallWait);
  try {
    return await turns.run(share, call, timeout.signal, org);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The organization with the fewest running calls is next, so that busy ones do not block others, and one organization cannot take all
 * slots.
 */
const CALLS = {
  atOnce: LIMITS.assistantsAtOnce,
  perShare: LIMITS.assistantCalls,
  perGroup: LIMITS.assistantCallsOfOrg,
  waitingPerShare: LIMITS.assistantCallsWaiting,
  waiting: LIMITS.assistantsAtOnce * LIMITS.assistantCallsWaiting,
  workName: 'calls of assistants',
  of: 'this caller',
};

/** Other messages are answered immediately, but take milliseconds of the one thread that all share: one at a time, callers in turn. */
const MESSAGES = {
  atOnce: 1,
  perShare: 1,
  waitingPerShare: LIMITS.assistantMessages,
  waiting: LIMITS.assistantsAtOnce * LIMITS.assistantMessages,
  workName: 'messages of assistants',
  of: 'this caller',
};

/** For the log, which names only the tool. */
function toolOf({ params }: Readonly<Record<string, unknown>>): `mcp ${string}` {
  const name = typeof params === 'object' && params !== null && 'name' in params ? String(params.name) : '';
  return `mcp ${/^[a-z_]{1,40}$/.test(name) ? name : 'unknown'}`;
}

/** What the tools may reach: the service itself, the hosts of sites, and the files of the code host, which the panel reads too. */
function reachedFrom<C>(
  { HOST: host, CODE_HOST_RAW: raw }: Settings,
  { publicAddress, isSiteHost, siteHosts, port, partners, tracing }: Services<C>,
): OwnService {
  const { origin } = new URL(publicAddress);
  return {
    host,
    port,
    traceHeaders: tracing.traceHeaders,
    isOwn: (address) => address.origin === origin || (siteHosts === undefined && isSiteHost(address)),
    fetchOther(address, method, signal) {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      if (siteHosts !== undefined && isSiteHost(address)) return readAt(siteHosts, address, method, signal);
      return address.href.startsWith(`${raw}/`) ? statusAt(partners, address, signal) : undefined;
    },
  };
}

async function statusAt(partners: Remote, { href: url }: URL, signal: AbortSignal): Promise<Response> {
  const { status } = await partners.send({ url, method: 'GET', signal, continuesTrace: true });
  return new Response(null, { status });
}

/** Reads without credentials. */
async function readAt(remote: Remote, { href: url }: URL, method: string, signal: AbortSignal): Promise<Response> {
  return responseOf(await remote.send({ url, method: 'GET', signal }), method === 'HEAD');
}
