import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { authoringEndpoints } from '@repoless/contract/authoring.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { serviceEndpoints } from '@repoless/contract/service.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import { createAsk } from '@repoless/upstream/ask.ts';
import { type Answers, createAnswers, headersOf } from '@repoless/upstream/bridge.ts';
import type { HostedService } from '@repoless/upstream/hosted.ts';
import { LRUCache } from 'lru-cache';
import { setTimeout as later } from 'node:timers/promises';
import { type Front, openFront, type Opening } from '../composition/front.ts';
import { composeProxy } from '../composition/operations.ts';
import { serviceInfo, type Settings } from '../config.ts';
import { type Caller, requireUser } from '../domain/context.ts';
import type { Store } from '../domain/ports.ts';
import { presentedToken } from '../http/caller.ts';
import { fillHttpApp } from '../http/http-app.ts';
import { bindCall, type Call, type RequestHeaders } from '../http/parse-request.ts';
import { serviceOperations } from '../http/service-operations.ts';
import { createHostedCallers, type HostedCallers } from './callers.ts';

/** What the calls of a service in front of the hosted one are given. */
interface HostedContext {
  readonly caller: Caller;
  /** The network that the request comes from. */
  readonly address: string;
  readonly store: Pick<Store, 'ping'>;
}

/** Milliseconds for which it is known where the content of a site is, as long as nothing here writes the site. */
const PATHS_KNOWN = 600_000;
/** Characters of all that is known. */
const PATHS_SIZE = 32_000_000;

/** The calls that this service answers itself. */
export const OWN_CALLS = [
  'getService',
  'getLive',
  'getReady',
  'getHealth',
  'getOpenApi',
  'getOpenApiAliases',
  'getOpenApiDryRun',
  'readAuthoring',
  'writeAuthoring',
  'profile',
  'exchangeToken',
] as const;
type OwnCalls = Readonly<Record<(typeof OWN_CALLS)[number], Call<HostedContext>>>;

/**
 * The service in front of the vendor's hosted one: the same calls, answered by asking it with the caller's own token, so that what a caller may do is
 * decided there. Of its own this service has what it says of itself, the authoring proxy, and the changes that went through it.
 */
export async function serveHosted(
  settings: Settings,
  hosted: HostedService,
  { store, ...opening }: Opening & { readonly store: Store },
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const front = await openFront(settings, opening);
  const { now } = opening;
  const ask = createAsk({ wait: (milliseconds) => later(milliseconds), now: () => now().getTime() });
  const info = serviceInfo(settings, front.hosts);
  const paths = new LRUCache<string, object>({
    maxSize: PATHS_SIZE,
    sizeCalculation: (found) => JSON.stringify(found).length,
    ttl: PATHS_KNOWN,
  });
  const answers = createAnswers({ ...hosted, ask, paths, store: store.hosted, info, now });
  const callers = createHostedCallers(answers, now);
  const own: Readonly<Record<string, Call<HostedContext> | undefined>> = ownCalls(settings, front, callers);
  fillHttpApp<HostedContext>(front.app, {
    ...front.answering,
    calls: allEndpoints().map(([id, row]) => own[id] ?? passedOn(id, row, answers)),
    guards: {
      ...front.guards,
      authenticate: callers.authenticate,
      authorize: async ({ caller }) => void requireUser(caller),
      context: (caller, _requestId, address) => ({ caller, address, store }),
    },
  });
  front.server.open((request, response) => {
    if (front.shedding.refuse(request, response)) return true;
    if (front.isServiceHost(request.headers.host ?? '')) return false;
    // A name that leads here without being this service's, as DNS rebinding makes one.
    response.writeHead(421).end();
    return true;
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await front.stop();
    await front.close();
    await store.close();
    await opening.tracing.close();
  };
  return { address: front.publicAddress, stop: () => (stopped ??= stop()) };
}

/** A call that the hosted service is asked for; what it has not is refused with NOT_OFFERED. */
function passedOn(id: string, row: Endpoint, answers: Answers): Call<HostedContext> {
  return bindCall<Endpoint, HostedContext>(row, async (_context, { params, query, body, headers, ifMatch, ifNoneMatch }) => {
    const outcome = await answers(id, row, {
      params,
      query,
      body,
      headers,
      token: tokenIn(headers),
      ...(ifMatch === undefined ? {} : { ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    });
    const { status, etag } = outcome;
    return { status, body: outcome.body, headers: headersOf(outcome), ...(etag === undefined ? {} : { etag }) };
  });
}

/** Cookies are no credential here: this service gives none. */
function tokenIn(headers: RequestHeaders): string | undefined {
  const presented = presentedToken(headers);
  return presented?.credential === 'header' ? presented.token : undefined;
}

function ownCalls(settings: Settings, front: Front, callers: HostedCallers): OwnCalls {
  const info = serviceInfo(settings, front.hosts);
  const service = serviceOperations(info, front.publicAddress, front.state);
  const { readAuthoring, writeAuthoring } = composeProxy(settings, front.remotes.tenants, front.hosts);
  return {
    getService: bindCall(serviceEndpoints.getService, service.getService),
    getLive: bindCall(serviceEndpoints.getLive, service.getLive),
    getReady: bindCall(serviceEndpoints.getReady, service.getReady),
    getHealth: bindCall(serviceEndpoints.getHealth, service.getHealth),
    getOpenApi: bindCall(serviceEndpoints.getOpenApi, service.getOpenApi),
    getOpenApiAliases: bindCall(serviceEndpoints.getOpenApiAliases, service.getOpenApiAliases),
    getOpenApiDryRun: bindCall(serviceEndpoints.getOpenApiDryRun, service.getOpenApiDryRun),
    readAuthoring: bindCall(authoringEndpoints.readAuthoring, readAuthoring),
    writeAuthoring: bindCall(authoringEndpoints.writeAuthoring, writeAuthoring),
    profile: bindCall<typeof sessionEndpoints.profile, HostedContext>(sessionEndpoints.profile, async ({ address }, { headers }) => {
      const token = tokenIn(headers);
      const profile = token === undefined ? undefined : await callers.profile(token, address);
      if (profile !== undefined) return { status: 200, body: { status: 200, profile, links: {} } };
      const said = { 'x-error': 'not authenticated.', 'x-error-code': 'NOT_AUTHENTICATED' };
      return { status: 401, body: { status: 401, error: 'unauthorized', links: {} }, headers: said };
    }),
    // The session is the token itself, be it the authoring system's, one of the hosted service, or an API key: none is issued or kept here.
    exchangeToken: bindCall<typeof sessionEndpoints.exchangeToken, HostedContext>(
      sessionEndpoints.exchangeToken,
      async ({ address }, { body: { token } }) => {
        const profile = await callers.profile(token, address);
        if (profile === undefined) throw notTaken(info.hosted ?? '');
        return { status: 200, body: { token, exp: profile.exp }, user: profile.email };
      },
    ),
  };
}

function notTaken(hosted: string): Refusal {
  return new Refusal('TOKEN_REFUSED', 'The hosted service does not accept this token.', {
    detail: `The hosted service at ${hosted} does not accept this token. Paste a token of the hosted service, or an API key.`,
  });
}
