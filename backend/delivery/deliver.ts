import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseSiteHost } from '#contract/addresses.ts';
import type { HostDomains, SiteHost, Tier } from '#contract/addresses.ts';
import type { Site } from '#contract/site.ts';
import { originOf } from '#backend/domain/code/code-origin.ts';
import type { CodeFiles } from '#backend/domain/code/ports.ts';
import type { Store, StoredSite } from '#backend/domain/ports.ts';
import { codeAnswer } from './code-answer.ts';
import { folderPage } from './folder-page.ts';
import { guardedAnswer } from './guarded-answer.ts';
import { admit } from './host-guard.ts';
import type { Admission, GuardServices } from './host-guard.ts';
import { pageAnswer } from './page-answer.ts';
import type { PageServices } from './page-answer.ts';
import { createConfigCache } from './config-cache.ts';
import type { ConfigCache } from './config-cache.ts';
import { sendReady } from './send-ready.ts';
import { withSiteHeaders } from './with-site-headers.ts';
import { contentAnswer, FAILED, NO_METHOD, NO_PATH, NO_ROBOTS, PREFLIGHT, PREVIEW_ROBOTS, STOPPING, UNKNOWN_HOST } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

export interface DeliverySettings {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'onChangesMissed'>;
  readonly domains: Pick<HostDomains, 'preview' | 'live'>;
  /** Whether a Host header is one of the service's own, which the calls of the service answer. */
  isServiceHost(host: string): boolean;
  readonly code: CodeFiles;
  readonly pages: PageServices;
  /** What tells who may read a host that is not open to everybody. */
  readonly guard: GuardServices;
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
    return site === undefined ? UNKNOWN_HOST : await answerSite(settings, cache, request, host, site);
  } catch (error) {
    settings.failed(error);
    return FAILED;
  }
}

async function answerSite(
  settings: DeliverySettings,
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
  if (path === '/robots.txt') return await robots(settings, request, site);
  return await codeOrPage(settings, request, site, path ?? '/');
}

/** A file of the branch's code, else a page. Who may not read the host does not learn what there is. */
async function codeOrPage(
  settings: DeliverySettings,
  request: IncomingMessage,
  host: SiteHost & { tier: Tier },
  encoded: string,
): Promise<ReadyAnswer> {
  const stored = await settings.store.reads.site(host.org, host.site);
  if (stored === undefined) return UNKNOWN_HOST;
  const admission = await admissionOf(settings, request, host, stored);
  if (admission === 'open') return await answerPath(settings, request, host, stored.aggregate, encoded);
  return guardedAnswer(admission.refusal ?? (await answerPath(settings, request, host, stored.aggregate, encoded)));
}

function admissionOf(
  { guard, store }: DeliverySettings,
  request: IncomingMessage,
  { tier }: { tier: Tier },
  stored: StoredSite,
): Promise<Admission> {
  return admit(guard, store.reads, stored, { tier, headers: () => request.headers });
}

/** A branch has the configuration of `main`, and code of its own. */
async function answerPath(
  settings: DeliverySettings,
  request: IncomingMessage,
  host: SiteHost,
  site: Site,
  encoded: string,
): Promise<ReadyAnswer> {
  const path = decoded(encoded);
  if (path === undefined) return NO_PATH;
  const answer = await find(settings, request, host, site, path);
  const standIn = answer.status === 404 ? folderPage(path, site.folders) : undefined;
  return withSiteHeaders(standIn === undefined ? answer : await find(settings, request, host, site, standIn), path, site.headers);
}

async function find(
  { code, pages }: DeliverySettings,
  request: IncomingMessage,
  { org, ref }: SiteHost,
  site: Site,
  path: string,
): Promise<ReadyAnswer> {
  const origin = originOf(org, site.code);
  const file = origin === undefined ? undefined : await code.find(origin.key, ref, path.slice(1));
  return file === undefined ? await pageAnswer(pages, site, path) : await codeAnswer(file, path, request.headers);
}

/** Undefined for a path that cannot be read, or that leads somewhere else. */
function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path);
    return text.startsWith('/') && !/(^|\/)\.\.?(\/|$)|\/\/|[\0\\]/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A guarded host is nobody's search result; who may read it reads the site's own. */
async function robots(settings: DeliverySettings, request: IncomingMessage, host: SiteHost & { tier: Tier }): Promise<ReadyAnswer> {
  if (host.tier === 'preview') return PREVIEW_ROBOTS;
  const { reads } = settings.store;
  const [stored, text] = await Promise.all([reads.site(host.org, host.site), reads.robots(host.org, host.site)]);
  if (stored === undefined) return UNKNOWN_HOST;
  const own = text === undefined ? NO_ROBOTS : contentAnswer('text/plain; charset=utf-8', Buffer.from(text));
  const admission = await admissionOf(settings, request, host, stored);
  if (admission === 'open') return own;
  return guardedAnswer(admission.refusal === undefined ? own : PREVIEW_ROBOTS);
}
