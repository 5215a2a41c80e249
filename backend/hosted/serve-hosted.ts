import { LIMITS } from '@repoless/contract/limits.ts';
import { defined } from '@repoless/contract/json.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFetchHosted } from '@repoless/upstream/fetch-hosted.ts';
import { type Answers, createAnswers, headersOf } from '@repoless/upstream/bridge.ts';
import type { BridgeOptions } from '@repoless/upstream/call.ts';
import type { HostedService } from '@repoless/upstream/hosted.ts';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { requireOperator } from '../access/permit.ts';
import { composeAssistant } from '../composition/assistant.ts';
import { programFigures } from '../composition/figures.ts';
import { openFront, type Opening } from '../composition/front.ts';
import { operatorsOf, serviceInfo, type Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { fillHttpApp } from '../http/http-app.ts';
import { bindCall, type Call } from '../http/parse-request.ts';
import { hostedAgent } from '../remote/remote.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { createHostedCallers } from './callers.ts';
import { type HostedContext, hostedOperatorOperations, ownCalls, signInAddress, tokenIn } from './own-calls.ts';
import { createHostedWatch, type HostedWatch, readStandingKeys, type StandingKey } from './watch.ts';
import { checkEndpoints } from '@repoless/contract/site-check.ts';
import { storedChecksOf } from '@repoless/upstream/check-sites.ts';
import type { Store as BridgeStore } from '@repoless/upstream/store.ts';
import type { Log } from '../log.ts';
import type { RunningRollouts } from '@repoless/upstream/rollout-document.ts';
import { createSharedBudget } from '../domain/answer-budget.ts';
import type { Caller } from '../sessions/identity.ts';

/** Milliseconds for which a site's content paths are cached, unless the site is written through this service. */
const PATHS_KNOWN = 600_000;
/** Characters of the whole cache. */
const PATHS_SIZE = 32_000_000;

/**
 * The service in front of the vendor's hosted one: the same calls, answered by calling it with the caller's own token, so that it decides
 * what a caller may do. This service itself has only its own description, the authoring proxy, and the changes through it.
 */
export async function serveHosted(
  settings: Settings,
  hosted: HostedService,
  { store, box, ...opening }: Opening & { readonly store: Store; readonly box: SecretBox },
): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const front = await openFront(settings, opening);
  const { now } = opening;
  const clock = () => now().getTime();
  const watch = createHostedWatch(clock);
  front.measuring.add({ ...programFigures({ store, isOverloaded: front.shedding.isOverloaded }), ...watch.figures });
  const dispatcher = await hostedAgent(front.remotes.lookups.partners);
  const memory = createSharedBudget(LIMITS.hostedBytes, { workName: 'large answers of the hosted service', of: 'for this organization' });
  const fetchHosted = createFetchHosted({ wait: (milliseconds) => later(milliseconds), now: clock, dispatcher, watch, memory });
  const rollouts: RunningRollouts = new Map();
  const info = serviceInfo(settings, front.hosts);
  const paths = new LRUCache<string, object>({
    maxSize: PATHS_SIZE,
    sizeCalculation: (found) => JSON.stringify(found).length,
    ttl: PATHS_KNOWN,
  });
  const checkStopped: NonNullable<BridgeOptions['checkStopped']> = (org, { done, total }, error) =>
    front.log.error(
      `The check of the organization "${org}" ended after ${done} of ${total} sites: ${error instanceof Error ? error.message : 'the token ends'}`,
    );
  const answers = createAnswers({ ...hosted, fetchHosted, paths, rollouts, store: store.hosted, info, now, checkStopped });
  if (settings.UPSTREAM_KEYS_FILE !== undefined) {
    const standing = {
      file: settings.UPSTREAM_KEYS_FILE,
      interval: settings.SITE_CHECK_INTERVAL,
      answers,
      store: store.hosted,
      watch,
      now,
    };
    opening.closing.push(await startStandingChecks({ ...standing, log: front.log }));
  }
  const callers = createHostedCallers(answers, now, watch);
  const assistant = composeAssistant<HostedContext>(settings, {
    publicAddress: front.publicAddress,
    isSiteHost: front.isSiteHost,
    siteHosts: front.remotes.tenants,
    port: front.server.port,
    box,
    partners: front.remotes.partners,
    log: front.log,
    tracing: opening.tracing,
    // Only the hosted service knows members, and its pace limits each organization.
    isMember: async () => false,
  });
  opening.closing.push(() => assistant.close());
  const operators = operatorsOf(settings);
  const own: Readonly<Record<string, Call<HostedContext> | undefined>> = ownCalls(settings, front, {
    callers,
    assistant,
    operators: hostedOperatorOperations({ ...front, hosted, operators, watch, rollouts }),
  });
  fillHttpApp<HostedContext>(front.app, {
    ...front.answering,
    signIn: signInAddress(hosted.service),
    calls: allEndpoints().map(([id, row]) => own[id] ?? forwardedCall(id, row, answers)),
    guards: {
      ...front.guards,
      authenticate: callers.authenticate,
      authorize: async ({ caller }, permission) => {
        requireKnown(caller, hosted.service);
        if (permission === 'operator') requireOperator(caller, operators);
        return undefined;
      },
      services: { store, now, newId: randomUUID },
    },
  });
  front.server.open(front.shedding.refuse, (request, response) => {
    if (front.isServiceHost(request.headers.host ?? '')) return false;
    // A name that resolves to this server but is not the service's, as in DNS rebinding.
    response.writeHead(421).end();
    return true;
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await front.stop();
    assistant.close();
    await front.close();
    await store.close();
    await opening.tracing.close();
  };
  return { address: front.publicAddress, stop: () => (stopped ??= stop()) };
}

function requireKnown(caller: Caller, service: string): void {
  if (caller.kind === 'user') return;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: `Send a token of the hosted service (${service}), or an API key, in the header "x-auth-token". "repoless login" gets one.`,
  });
}

/** A call that is forwarded to the hosted service; unsupported ones are refused with NOT_OFFERED. */
function forwardedCall(id: string, row: Endpoint, answers: Answers): Call<HostedContext> {
  return bindCall<Endpoint, HostedContext>(row, async (_context, { params, query, body, headers, ifMatch, ifNoneMatch }) => {
    const outcome = await answers(id, row, {
      params,
      query,
      body,
      headers,
      token: tokenIn(headers),
      ...defined({ ifMatch, ifNoneMatch }),
    });
    const { status, etag } = outcome;
    return { status, body: outcome.body, headers: headersOf(outcome), ...(etag === undefined ? {} : { etag }) };
  });
}

interface Parts {
  /** The file of the keys; read again for each round, so that a key can be replaced without a restart. */
  readonly file: string;
  /** Seconds between two rounds; 0: none. */
  readonly interval: number;
  readonly answers: Answers;
  readonly store: BridgeStore;
  readonly watch: Pick<HostedWatch, 'standing'>;
  readonly log: Pick<Log, 'info' | 'error'>;
  now(): Date;
}

/** The longest delay of a timer, in milliseconds: a longer one fires immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** How long before a key expires it is reported, in milliseconds. */
const WARNING_TIME = 14 * 86_400_000;

/**
 * Repeatedly checks all sites of the organizations that have a standing key, like a person who presses "Check". Skips organizations that a
 * person, or another node, has checked within half of the interval. Rejects immediately if the file is invalid. Returns a function that
 * ends it.
 */
async function startStandingChecks(parts: Parts): Promise<() => void> {
  const { file, interval, watch, log } = parts;
  let keys = await readStandingKeys(file);
  watch.standing(keys);
  const stop = new AbortController();
  const rounds = async (): Promise<void> => {
    for (;;) {
      for (const key of keys) await checkOrganization(parts, key).catch((error: unknown) => log.error(failed(key, error)));
      await later(Math.min(interval * 1000, LONGEST_TIMER), undefined, { signal: stop.signal, ref: false });
      keys = await readStandingKeys(file).catch((error: unknown) => {
        log.error(`${messageOf(error)} The previously read keys are used.`);
        return keys;
      });
      watch.standing(keys);
    }
  };
  // Only stopping ends it.
  if (interval > 0) void rounds().catch(() => undefined);
  return () => stop.abort();
}

async function checkOrganization({ answers, store, interval, log, now }: Parts, key: StandingKey): Promise<void> {
  const { org, ends } = key;
  const left = ends === undefined ? Infinity : ends * 1000 - now().getTime();
  if (left < WARNING_TIME)
    log.error(
      left > 0
        ? `The standing API key of the organization "${org}" ends at ${new Date(now().getTime() + left).toISOString()}. Replace it in the file of UPSTREAM_KEYS_FILE.`
        : `The standing API key of the organization "${org}" has ended, so its sites are not checked. Replace it in the file of UPSTREAM_KEYS_FILE.`,
    );
  if (left <= 0) return;
  const newest = [...(await storedChecksOf(store, org)).values()]
    .map(({ at }) => Date.parse(at))
    .reduce((one, other) => Math.max(one, other), 0);
  if (now().getTime() - newest < interval * 500) return;
  const call = { params: { org }, query: {}, body: undefined, headers: {}, token: key.token };
  await answers('startOrgCheck', checkEndpoints.startOrgCheck, call);
}

function failed({ org }: StandingKey, error: unknown): string {
  return `The sites of the organization "${org}" could not be checked with its standing API key: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
