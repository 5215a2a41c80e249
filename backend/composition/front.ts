import { type HostDomains, parseSiteHost } from '@repoless/contract/addresses.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { VERSION } from '@repoless/contract/version.ts';
import express, { type Express } from 'express';
import { randomUUID } from 'node:crypto';
import { addressesOf, type Settings } from '../config.ts';
import { clientAddress, createRateLimit } from '../http/caller.ts';
import { createLoadShedding, extensionOrigin, listedOrOwnOrigins } from '../http/every-answer.ts';
import { type Log, requestTraces, sealTokens } from '../log.ts';
import { measure } from '../run-program.ts';
import { createLookups, type Resolve } from '../remote/guarded-lookup.ts';
import { listen } from '../server.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createRemote } from '../remote/remote.ts';
import { isIP } from 'node:net';

export interface Opening {
  readonly log: Log;
  readonly tracing: Tracing;
  readonly resolve: Resolve | undefined;
  /** Closes what is open, in order of opening. */
  readonly closing: (() => unknown)[];
  now(): Date;
}

export type Front = Awaited<ReturnType<typeof openFront>>;

/** What precedes the calls, whichever service answers them: the port, metrics, HTTP clients, and what is refused before any work. */
export async function openFront(settings: Settings, { log: plainLog, tracing, resolve, closing, now }: Opening) {
  const measuring = await measure(settings, plainLog);
  closing.push(() => measuring.close());
  const failures = recentFailures(measuring.log, now);
  const { log } = failures;
  const remotes = composeRemotes(settings, { tracing, resolve });
  closing.push(() => remotes.close());
  const app: Express = express();
  const server = await listen(app, { host: settings.HOST, port: settings.PORT }, { log });
  const times = { delay: settings.SHUTDOWN_DELAY * 1000, grace: settings.SHUTDOWN_GRACE * 1000 };
  closing.push(() => server.stop(times));
  const { publicAddress, hosts } = addressesOf(settings, server.port);
  const addressOf = clientAddress(settings.TRUST_PROXY);
  const isServiceHost = serviceHosts(publicAddress, hosts);
  const origins = [...settings.ALLOWED_ORIGINS, ...settings.EXTENSION_IDS.map(extensionOrigin)];
  const allowsOrigin = listedOrOwnOrigins(origins, hosts);
  const shedding = createLoadShedding({
    title: TITLE,
    limit: settings.OVERLOAD_DELAY,
    allowsOrigin,
    isServiceHost,
    newId: randomUUID,
    log,
    clientAddress: addressOf,
  });
  closing.push(() => shedding.close());
  return {
    app,
    server,
    measuring,
    program: { version: VERSION, node: process.versions.node, started: now(), failures: failures.latest },
    log,
    remotes,
    publicAddress,
    hosts,
    clientAddress: addressOf,
    isServiceHost,
    isSiteHost: ({ protocol, host }: URL) => protocol === `${hosts.protocol}:` && parseSiteHost(host, hosts) !== undefined,
    shedding,
    state: { title: TITLE, isLeaving: server.isLeaving, isOverloaded: shedding.isOverloaded },
    answering: { title: TITLE, allowsOrigin, log, clientAddress: addressOf, newId: randomUUID, isStopping: server.isStopping },
    guards: {
      rateLimit: createRateLimit({ rate: settings.RATE_LIMIT, burst: settings.RATE_LIMIT_BURST }, now),
      bodyLimit: settings.BODY_LIMIT,
      ownOrigin: new URL(publicAddress).origin,
      traces: requestTraces(tracing, publicAddress, allEndpoints()),
    },
    /** Running requests end; new ones are refused. */
    stop: () => server.stop(times),
    async close() {
      shedding.close();
      await remotes.close();
      await measuring.close();
    },
  };
}

/** Separate lookups for tenants and partners, so that names of tenants do not hold up others. `resolve` is the resolver of the system. */
function composeRemotes(settings: Settings, { tracing, resolve }: Pick<Opening, 'tracing' | 'resolve'>) {
  const { CODE_HOST, CODE_HOST_API, CODE_HOST_RAW, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const lookups = createLookups([CODE_HOST, CODE_HOST_API, CODE_HOST_RAW], resolve);
  /** For what tenants name. */
  const tenants = createRemote({ internalAddresses, resolve: lookups.tenants, tracing, ...REMOTE_LIMITS });
  /** For the code host and identity providers. */
  const partners = createRemote({ internalAddresses, resolve: lookups.partners, tracing, ...REMOTE_LIMITS });
  /** For the operator's own programs, which may be internal. */
  const own = createRemote({ internalAddresses: 'allow', resolve: lookups.partners, tracing, ...REMOTE_LIMITS });
  return {
    lookups,
    tenants,
    partners,
    own,
    async close(): Promise<void> {
      await tenants.close();
      await partners.close();
      await own.close();
    },
  };
}

const TITLE = 'The service';

/** Limits of a request to another system: milliseconds, and bytes of the response. */
const REMOTE_LIMITS = { timeout: 10_000, sizeLimit: 10 * 1024 * 1024 };

/**
 * Which Host headers are the service's own: that of its public address, and `localhost` or an IP address, which probes and local programs
 * use. Every other host belongs to a site, or is unknown.
 */
export function serviceHosts(publicAddress: string, domains: Pick<HostDomains, 'preview' | 'live'>): (host: string) => boolean {
  const own = new URL(publicAddress).host;
  return (host) => {
    const lower = host.toLowerCase();
    if (lower === own) return true;
    if (parseSiteHost(lower, domains) !== undefined) return false;
    const name = lower.replace(/:\d+$/, '');
    return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}

interface RecentFailure {
  readonly time: string;
  readonly requestId: string;
  readonly error: string;
}

/** The same log; the latest failures are also retained for operators, cut to one line each. They are lost when the program ends. */
function recentFailures<L extends Pick<Log, 'failure'>>(log: L, now: () => Date): { log: L; latest(): RecentFailure[] } {
  const latest: RecentFailure[] = [];
  return {
    log: {
      ...log,
      failure(requestId: string, error: unknown) {
        const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        latest.unshift({
          time: now().toISOString(),
          requestId: requestId.slice(0, SHOWN_CHARACTERS),
          error: sealTokens(message).slice(0, SHOWN_CHARACTERS),
        });
        latest.length = Math.min(latest.length, RETAINED);
        log.failure(requestId, error);
      },
    },
    latest: () => [...latest],
  };
}

const RETAINED = 50;
const SHOWN_CHARACTERS = 300;
