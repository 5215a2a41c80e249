import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseSiteHost } from '#contract/addresses.ts';
import type { HostDomains, SiteHost, Tier } from '#contract/addresses.ts';
import type { Store } from '#backend/domain/ports.ts';
import { createConfigCache } from './config-cache.ts';
import type { ConfigCache } from './config-cache.ts';
import { sendReady } from './send-ready.ts';
import { contentAnswer, FAILED, NO_METHOD, NO_PAGE, NO_ROBOTS, PREFLIGHT, PREVIEW_ROBOTS, STOPPING, UNKNOWN_HOST } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

export interface DeliverySettings {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'onChangesMissed'>;
  readonly domains: Pick<HostDomains, 'preview' | 'live'>;
  /** Whether a Host header is one of the service's own, which the calls of the service answer. */
  isServiceHost(host: string): boolean;
  isStopping(): boolean;
  /** An error of the storage, for the log. */
  failed(error: unknown): void;
  /** Bytes that ready answers may take. */
  readonly cacheLimit?: number;
}

export interface Delivery {
  /** Answers a request to any host but the service's own. Out: whether the request is taken. */
  deliver(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const CACHE_LIMIT = 128 * 1024 * 1024;

/**
 * The preview and live hosts (service contract, section 5), told apart by the Host header alone. A ref other than `main`
 * has the same configuration. `/config.json` has no request id and no line in the log: its bytes are shared by caches.
 */
export function createDelivery(settings: DeliverySettings): Delivery {
  const { store, isServiceHost, isStopping } = settings;
  const cache = createConfigCache(store.reads, settings.cacheLimit ?? CACHE_LIMIT);
  const unsubscribe = [store.onSiteChange((org, site) => cache.forget(org, site)), store.onChangesMissed(() => cache.forgetAll())];
  return {
    close() {
      for (const end of unsubscribe) end();
    },
    deliver(request, response) {
      const host = hostOf(request);
      if (request.url === CONFIG_PATH && isRead(request) && !isStopping()) {
        const answer = cache.ready(host);
        if (answer !== undefined) return (sendReady(request, response, answer), true);
      }
      if (isServiceHost(host)) return false;
      void answerSlowly(settings, cache, request, host).then((answer) => sendReady(request, response, answer));
      return true;
    },
  };
}

const CONFIG_PATH = '/config.json';

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** From the raw headers: Node builds its headers object only for who asks for it, at a tenth of the cost of such a request. */
function hostOf({ rawHeaders }: IncomingMessage): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') return rawHeaders[index + 1] ?? '';
  }
  return '';
}

async function answerSlowly(settings: DeliverySettings, cache: ConfigCache, request: IncomingMessage, host: string): Promise<ReadyAnswer> {
  try {
    const site = parseSiteHost(host, settings.domains);
    if (settings.isStopping()) return STOPPING;
    return site === undefined ? UNKNOWN_HOST : await answerSite(settings.store, cache, request, host, site);
  } catch (error) {
    settings.failed(error);
    return FAILED;
  }
}

async function answerSite(
  store: DeliverySettings['store'],
  cache: ConfigCache,
  request: IncomingMessage,
  host: string,
  site: SiteHost & { tier: Tier },
): Promise<ReadyAnswer> {
  const path = request.url?.split('?', 1)[0];
  const config = await cache.load(host, site);
  if (config === UNKNOWN_HOST) return UNKNOWN_HOST;
  if (request.method === 'OPTIONS') return PREFLIGHT;
  if (!isRead(request)) return NO_METHOD;
  if (path === CONFIG_PATH) return config;
  return path === '/robots.txt' ? await robots(store, site) : NO_PAGE;
}

async function robots(store: DeliverySettings['store'], { tier, org, site }: SiteHost & { tier: Tier }): Promise<ReadyAnswer> {
  if (tier === 'preview') return PREVIEW_ROBOTS;
  const text = await store.reads.robots(org, site);
  return text === undefined ? NO_ROBOTS : contentAnswer('text/plain; charset=utf-8', Buffer.from(text));
}
