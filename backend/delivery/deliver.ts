import { type HostDomains, parseSiteHost, type SiteHost, type Tier } from '@repoless/contract/addresses.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Site } from '@repoless/contract/site.ts';
import { LRUCache } from 'lru-cache';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CodeFiles } from '../code/rules/ports.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, type FairShare } from '../domain/fair-share.ts';
import type { Store } from '../domain/ports.ts';
import { answerPath, lazyShare, pathProblem } from './answer-path.ts';
import { type ConfigCache, createConfigCache, readySender, type SendReady } from './config-cache.ts';
import { findFile } from './find-path.ts';
import type { PageServices } from './page-answer.ts';
import { createPageBudget, type PageBudget, startVisit } from './page-budget.ts';
import { fileBytes } from './sheet-answer.ts';
import {
  CLOSED_ROBOTS,
  DAMAGED,
  FAILED,
  isForwarded,
  NO_METHOD,
  openRobots,
  OVERLOADED,
  PREFLIGHT,
  PREVIEW_ROBOTS,
  type ReadyAnswer,
  robotsAnswer,
  STOPPING,
  unexpectedAnswer,
  UNKNOWN_HOST,
  VARY,
  withSafeHeaders,
} from './site-answers.ts';
import {
  type Admission,
  admit,
  guardedAnswer,
  type GuardServices,
  siteHeaders,
  type SiteHeaders,
  withSiteHeaders,
} from './with-site-headers.ts';
import type { StoredSite } from '../sites/ports.ts';

export interface DeliverySettings {
  readonly store: Pick<Store, 'reads' | 'onSiteChange' | 'isCurrent'>;
  readonly domains: HostDomains;
  /** Whether a Host header is one of the service's own, at which it answers its calls. */
  isServiceHost(host: string): boolean;
  readonly code: CodeFiles;
  readonly pages: PageServices;
  readonly guard: GuardServices;
  isStopping(): boolean;
  /** Logs an error. Returns the request id of its log entry. */
  failed(error: unknown): string;
  clientAddress(request: IncomingMessage): string;
  refused(line: { method: string; host: string; path: string; address: string; status: number; code: string }): void;
  readonly cacheLimit?: number;
}

interface Serving extends DeliverySettings {
  readonly turns: FairShare;
  readonly budget: PageBudget;
  readonly severalSheets: LRUCache<string, boolean>;
}

export interface Delivery {
  /** Answers a request to any host except the service's own. Returns whether it handles the request. */
  deliver(request: IncomingMessage, response: ServerResponse): boolean;
  /** Requests so far: answered from memory directly, or after reading storage, code or content. */
  answered(): { readonly memory: number; readonly sources: number };
  close(): void;
}

const CACHE_LIMIT = 128 * 1024 * 1024;

/**
 * The preview and live hosts (docs/contract.md 6.1), told apart only by the Host header. A ref other than `main` has the same
 * configuration. `/config.json` has no request id and no log entry: its bytes are shared by caches.
 */
export function createDelivery(deliverySettings: DeliverySettings): Delivery {
  const settings: Serving = {
    ...deliverySettings,
    turns: createFairShare(PAGES),
    budget: createPageBudget(),
    severalSheets: new LRUCache({ max: FILES }),
  };
  const { store, isServiceHost, isStopping } = settings;
  const sendReady = readySender(settings.domains, (request, response, answer) => {
    const org = parseSiteHost(hostOf(request), settings.domains)?.org ?? '';
    return settings.budget.send(request, response, org, answer);
  });
  const cache = createConfigCache(store.reads, settings.cacheLimit ?? CACHE_LIMIT, store.isCurrent);
  const unsubscribe = store.onSiteChange(cache.invalidate);
  let [memory, sources] = [0, 0];
  return {
    answered: () => ({ memory, sources }),
    close: unsubscribe,
    deliver(request, response) {
      const host = hostOf(request);
      if (request.url === CONFIG_PATH && isRead(request) && !isStopping()) {
        const answer = cache.ready(host);
        if (answer !== undefined) {
          memory += 1;
          void sendReady(request, response, answer);
          return true;
        }
      }
      if (isServiceHost(host)) return false;
      sources += 1;
      void deliverSlowly(settings, cache, request, response, { host, sendReady });
      return true;
    },
  };
}

/** Pages and files in progress, by site and organization: most of the time they wait for a content source. */
const PAGES = {
  atOnce: LIMITS.pagesAtOnce,
  perShare: LIMITS.pagesOfSite,
  perGroup: LIMITS.pagesOfOrg,
  waitingPerShare: LIMITS.pagesOfOrgWaiting,
  waitingPerGroup: LIMITS.pagesOfOrgWaiting,
  waiting: LIMITS.pagesWaiting,
  workName: 'pages',
};
const CONFIG_PATH = '/config.json';
/** Code files whose content was examined. */
const FILES = 10_000;

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** From the raw headers: Node builds its headers object only on access, at a tenth of the cost of such a request. */
function hostOf({ rawHeaders }: IncomingMessage): string {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') return rawHeaders[index + 1] ?? '';
  }
  return '';
}

/** Not awaited: every failure, in the answer or in sending it, ends here. */
async function deliverSlowly(
  settings: Serving,
  cache: ConfigCache,
  request: IncomingMessage,
  response: ServerResponse,
  { host, sendReady }: { host: string; sendReady: SendReady },
): Promise<void> {
  if (request.url !== CONFIG_PATH) settings.budget.follow(request, response, startVisit(response, settings.pages.time));
  try {
    const answer = withSafeHeaders(await answerSlowly(settings, cache, request, host));
    if (answer.status === 401 || answer.status === 403) reportRefused(settings, request, host, answer);
    await sendReady(request, response, answer);
  } catch (error) {
    const requestId = settings.failed(error);
    if (response.headersSent) response.destroy();
    else void sendReady(request, response, isStorageFailure(error) ? troubleAnswer(error) : unexpectedAnswer(requestId));
  }
}

function reportRefused(
  { refused, clientAddress }: DeliverySettings,
  request: IncomingMessage,
  host: string,
  { status, headers }: ReadyAnswer,
): void {
  const { method = '', url = '' } = request;
  const code = headers[headers.indexOf('x-error-code') + 1] ?? '';
  refused({ method, host, path: url.split('?', 1)[0] ?? '', address: clientAddress(request), status, code });
}

async function answerSlowly(settings: Serving, cache: ConfigCache, request: IncomingMessage, host: string): Promise<ReadyAnswer> {
  try {
    const site = parseSiteHost(host, settings.domains);
    if (settings.isStopping()) return STOPPING;
    return site === undefined ? UNKNOWN_HOST : await answerSite(settings, cache, request, host, site);
  } catch (error) {
    if (isOverload(error)) return OVERLOADED;
    if (!isStorageFailure(error)) throw error;
    settings.failed(error);
    return troubleAnswer(error);
  }
}

/** The database, or a missing file of the code. */
function isStorageFailure(error: unknown): boolean {
  if (error instanceof Refusal) return error.code === 'STORAGE_UNAVAILABLE' || isDamage(error);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code);
}

function troubleAnswer(error: unknown): ReadyAnswer {
  return isDamage(error) ? DAMAGED : FAILED;
}

function isDamage(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'STORAGE_DAMAGED';
}

async function answerSite(
  settings: Serving,
  cache: ConfigCache,
  request: IncomingMessage,
  host: string,
  site: SiteHost & { tier: Tier },
): Promise<ReadyAnswer> {
  const path = request.url?.split('?', 1)[0] ?? '/';
  const config = await cache.load(host, site);
  if (config === UNKNOWN_HOST) return UNKNOWN_HOST;
  if (isRead(request) && path === CONFIG_PATH) return config;
  if (isRead(request) && path === '/robots.txt') return await robots(settings, request, site);
  const stored = await settings.store.reads.site(site.org, site.site);
  if (stored === undefined) return UNKNOWN_HOST;
  const deliverySettings = (isGuarded: boolean) => headersFor(stored.aggregate, request, { encoded: path, isGuarded });
  if (request.method === 'OPTIONS') return withSiteHeaders(PREFLIGHT, deliverySettings(false));
  if (!isRead(request)) return withSiteHeaders(NO_METHOD, deliverySettings(false));
  try {
    const answer = () => codeOrPage(settings, request, site, { stored, siteHeaders: deliverySettings, encoded: path });
    return await settings.turns.run(`${site.org}/${site.site}`, answer, () => settings.budget.queueTimeout(request), site.org);
  } catch (error) {
    if (isOverload(error)) return withSiteHeaders(OVERLOADED, deliverySettings(false));
    throw error;
  }
}

function isOverload(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'OVERLOADED';
}

/** By the decoded path; one that cannot be decoded is used as it is. */
function headersFor(config: Site, request: IncomingMessage, { encoded, isGuarded }: { encoded: string; isGuarded: boolean }): SiteHeaders {
  const requestedPath = encoded.slice(0, LIMITS.pagePath);
  const path = pathProblem(requestedPath) === undefined ? decodeURIComponent(requestedPath) : requestedPath;
  return siteHeaders(config.headers, { path, isGuarded, origin: () => request.headers.origin });
}

interface RequestedPath {
  readonly stored: StoredSite;
  /** The headers of the site for the path. Takes whether the host is guarded. */
  siteHeaders(isGuarded: boolean): SiteHeaders;
  readonly encoded: string;
}

/** A file of the branch's code, otherwise a page. Callers who may not read the host do not learn what exists. */
async function codeOrPage(
  settings: Serving,
  request: IncomingMessage,
  host: SiteHost & { tier: Tier },
  { stored, siteHeaders: deliverySettings, encoded }: RequestedPath,
): Promise<ReadyAnswer> {
  const admission = await admissionOf(settings, request, host, stored);
  const headers = deliverySettings(admission !== 'open');
  const answer = () => answerPath(settings, request, { config: stored.aggregate, siteHeaders: headers, ...host }, encoded);
  if (admission === 'open') return withSiteHeaders(await answer(), headers);
  return guardedAnswer(withSiteHeaders(admission.refusal ?? (await answer()), headers));
}

function admissionOf(
  { guard, store }: DeliverySettings,
  request: IncomingMessage,
  { tier }: { tier: Tier },
  stored: StoredSite,
): Promise<Admission> {
  return admit(guard, store.reads, stored, { tier, headers: () => request.headers });
}

/** A guarded host must not appear in search results; its readers get the site's own robots.txt. */
async function robots(settings: Serving, request: IncomingMessage, host: SiteHost & { tier: Tier }): Promise<ReadyAnswer> {
  if (host.tier === 'preview') return PREVIEW_ROBOTS;
  const { reads } = settings.store;
  const [stored, text] = await Promise.all([reads.site(host.org, host.site), reads.robots(host.org, host.site)]);
  if (stored === undefined) return UNKNOWN_HOST;
  const own = text === undefined ? await robotsWithout(settings, request, host, stored) : robotsAnswer(text);
  const admission = await admissionOf(settings, request, host, stored);
  if (admission === 'open') return own;
  return guardedAnswer(admission.refusal === undefined ? own : PREVIEW_ROBOTS);
}

/** If the site has none: the code's robots.txt, or an open one, is meant for the production host. */
async function robotsWithout(
  settings: Serving,
  request: IncomingMessage,
  { org, site, ref }: SiteHost,
  { aggregate: config }: StoredSite,
): Promise<ReadyAnswer> {
  const isOwn = (host: string) => settings.isServiceHost(host) || parseSiteHost(host, settings.domains) !== undefined;
  if (!isForwarded(request.headers['x-forwarded-host'], isOwn)) return CLOSED_ROBOTS;
  const branch = { org, site, ref, config, share: lazyShare(settings.budget, request, org) };
  const file = await findFile(settings, branch, '/robots.txt');
  const bytes = file === undefined ? undefined : await fileBytes(file, branch.share);
  return bytes === undefined ? openRobots(config.cdn?.prod?.host) : robotsAnswer(bytes, VARY);
}
