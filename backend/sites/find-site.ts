import { defined, valueAt } from '@repoless/contract/json.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { hostLabel, hostLabelProblem } from '@repoless/contract/names.ts';
import type { SidekickConfig } from '@repoless/contract/site-parts.ts';
import { type Site, SITE_PART_NAMES, type SiteListEntry, type SitePart } from '@repoless/contract/site.ts';
import type { z } from 'zod';
import { isOpen } from '../access/permit.ts';
import { rolesOf } from '../access/roles.ts';
import type { AnswerBudget, Printing } from '../domain/answer-budget.ts';
import type { Context, Input, Operation } from '../domain/context.ts';
import { etagOf, frozen, memoizePerDocument } from '../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, type FairShare, yieldToEventLoop } from '../domain/fair-share.ts';
import type { SiteName } from './check-site.ts';
import type { StoredSite } from './ports.ts';

/** The stored site. Refuses with SITE_NOT_FOUND. */
export async function findSite(context: Context, name: SiteName): Promise<StoredSite> {
  const { permitted } = context;
  const known = permitted?.site?.org === name.org && permitted.site.site === name.site ? permitted.site : undefined;
  const site = known ?? (await context.store.reads.site(name.org, name.site));
  if (site === undefined) throw siteNotFound(name);
  return site;
}

/**
 * The stored site as its caller may see it: without people, keys and secrets for a caller without a role, admitted by `requireAuth: false`.
 * Refuses with SITE_NOT_FOUND.
 */
export async function shownSite(context: Context, name: SiteName): Promise<StoredSite> {
  const site = await findSite(context, name);
  if (!isOpen(site.aggregate) || (await isAdministered(context, site))) return site;
  const config = shownToEverybody(site.config);
  return { ...site, config, etag: etagOf(config) };
}

/**
 * The effective configuration of a site as its caller may see it. Administrators of the configuration see all of it; callers with only the
 * role `config`, and everyone if `requireAuth` is false, see no people, keys and secrets (docs/contract.md 4.3). Refuses with
 * SITE_NOT_FOUND.
 */
async function shownAggregate(context: Context, name: SiteName): Promise<Site> {
  const site = await findSite(context, name);
  return (await isAdministered(context, site)) ? site.aggregate : shownToEverybody(site.aggregate);
}

/** Whether the caller administers the configuration of a site. Requires a sign-in. */
async function isAdministered({ caller, permitted, store }: Context, site: StoredSite): Promise<boolean> {
  if (caller.kind === 'anonymous') return false;
  const org = permitted?.org?.org === site.org ? permitted.org : await store.reads.org(site.org);
  const roles = org === undefined ? new Set() : rolesOf(caller, org.config, site.aggregate);
  return roles.has('admin') || roles.has('config_admin');
}

// A different document from the one with secrets, so that nothing derived from one, its etag and its JSON, is ever used for the other.
const shownToEverybody = memoizePerDocument((site: Site): Site => frozen(redactedSite(site)));

/** What everyone may see of a site whose reads are open: no people, keys and secrets (docs/contract.md 4.3). */
function redactedSite(site: Site): Site {
  const { code, cdn, access: _access, groups: _groups, secrets: _secrets, apiKeys: _apiKeys, tokens: _tokens, ...others } = site;
  // Opaque parts may contain anything.
  const { features: _features, limits: _limits, editor: _editor, ...rest } = others;
  return {
    ...rest,
    ...(code === undefined ? {} : { code: withoutSecret(code) }),
    ...(cdn === undefined ? {} : { cdn: withoutCredentials(cdn) }),
  };
}

export function siteNotFound(name: SiteName): Refusal {
  return new Refusal('SITE_NOT_FOUND', `The site "${name.org}/${name.site}" does not exist.`, { data: { ...name } });
}

export function partNotFound(part: string, name: SiteName): Refusal {
  return new Refusal('PART_NOT_FOUND', `Site "${name.org}/${name.site}" has no ${part}.`, { data: { part } });
}

function withoutSecret(code: NonNullable<Site['code']>): Site['code'] {
  if (code.source === undefined) return code;
  const { secretId: _secretId, ...source } = code.source;
  return { ...code, source };
}

/** The production part accepts any key, including credentials for purging caches: only known members are shown. */
function withoutCredentials({ prod, ...rest }: NonNullable<Site['cdn']>): Site['cdn'] {
  if (prod === undefined) return rest;
  const { type, host, route } = prod;
  return {
    ...rest,
    prod: { ...(type === undefined ? {} : { type }), ...(host === undefined ? {} : { host }), ...(route === undefined ? {} : { route }) },
  };
}

type Entry = z.infer<typeof SiteListEntry>;
type ListSites = (typeof endpoints)['listSites'];

/**
 * Lists the sites of an organization by name: all of them, or a page with a `link` to the next. Lists take turns, one for an organization;
 * those in progress are read piece by piece in turn, and each piece is printed before the next is read. Takes the budget that holds them
 * until they are sent. Refuses with OVERLOADED if too many are waiting or being sent, with QUERY_INVALID if a list is too long.
 */
export function listSites(budget: AnswerBudget): Operation<ListSites> {
  const [lists, pieces] = [createFairShare(LISTS), createFairShare(PIECES)];
  return (context, input) => lists.run(input.params.org, () => listed({ budget, pieces }, context, input));
}

const LISTS = {
  atOnce: LIMITS.listsAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.listsWaiting,
  waiting: LIMITS.listsAtOnce * LIMITS.listsWaiting,
  workName: 'lists of sites',
};
/** For lists in progress, which wait for nothing else: as many as there are lists. Two, so that one is printed while another is read. */
const PIECES = { atOnce: 2, perShare: 1, waitingPerShare: 1, waiting: LIMITS.listsAtOnce, workName: 'lists of sites' };

interface Shared {
  readonly budget: AnswerBudget;
  readonly pieces: FairShare;
}

async function listed({ budget, pieces }: Shared, { store }: Context, input: Input<ListSites>): ReturnType<Operation<ListSites>> {
  const { org } = input.params;
  const { limit = Infinity, after, details } = input.query;
  const printed = budget.open(org);
  const read = (page: { after?: string; limit: number }) =>
    pieces.run(org, () => yieldToEventLoop().then(() => readPage(store, org, page, details)));
  let [cursor, count, more] = [after, 0, false];
  try {
    for (;;) {
      // One more than requested shows whether there is a next page.
      const needed = Math.min(details === true ? AT_ONCE : NAMES_AT_ONCE, limit + 1 - count);
      const found = await read({ limit: needed, ...(cursor === undefined ? {} : { after: cursor }) });
      more = count + found.length > limit;
      const sites = more ? found.slice(0, limit - count) : found;
      print(printed, sites, count === 0);
      count += sites.length;
      cursor = sites.at(-1)?.name ?? cursor;
      if (more || found.length === 0) break;
    }
    printed.add(count === 0 ? '{\n  "sites": []\n}' : END);
  } catch (error) {
    printed.release();
    throw error;
  }
  return {
    result: 'done',
    printed,
    ...(more ? { headers: { link: `<${nextPage(org, input.query, cursor)}>; rel="next"` } } : {}),
  };
}

/** Adds entries in the format of the complete list. */
function print(printed: Printing, sites: readonly Entry[], isFirst: boolean): void {
  if (sites.length === 0) return;
  const entries = JSON.stringify({ sites }, null, 2).slice(OPENING.length, -END.length);
  printed.add(`${isFirst ? OPENING : ',\n'}${entries}`);
  if (printed.bytes > LIMITS.listLength - END.length) throw tooLong();
}

const OPENING = '{\n  "sites": [\n';
const END = '\n  ]\n}';

function tooLong(): Refusal {
  const sentence = `The list has more than ${LIMITS.listLength} bytes. Request it in pages: ?limit=100, then follow the link in each response.`;
  return new Refusal('QUERY_INVALID', sentence, { errors: [{ pointer: '/limit', detail: sentence }] });
}

async function readPage(
  { reads }: Context['store'],
  org: string,
  page: { after?: string; limit: number },
  details: boolean | undefined,
): Promise<Entry[]> {
  if (details !== true) return (await reads.listSiteNames(org, page)).map((name) => entry(org, name));
  return (await reads.listSites(org, { ...page, bytes: READ_AT_ONCE })).map((site) => detailedEntry(org, site));
}

function entry(org: string, name: string): Entry {
  return { name, path: `/config/${org}/sites/${name}.json` };
}

function detailedEntry(org: string, { site, aggregate }: StoredSite): Entry {
  const { name, path } = entry(org, site);
  return { name, path, ...listDetail(aggregate), ...(aggregate.public === undefined ? {} : { public: aggregate.public }) };
}

/** The details of a site or profile in a list. */
export function listDetail({ content, code, cdn }: Pick<Site, 'content' | 'code' | 'cdn'>): Pick<Entry, 'content' | 'code' | 'cdn'> {
  const host = cdn?.prod?.host;
  return defined({ content, code, cdn: host === undefined ? undefined : { prod: { host } } });
}

function nextPage(org: string, { limit, details }: Input<ListSites>['query'], after: string | undefined): string {
  return `/config/${org}/sites.json?limit=${limit}&after=${after}${details === true ? '&details=true' : ''}`;
}

/** Sites read at once, and bytes of their documents: several milliseconds. */
const AT_ONCE = 200;
const READ_AT_ONCE = 250_000;
const NAMES_AT_ONCE = 1000;

type Rows = typeof endpoints;

export const getAggregate: Operation<Rows['getAggregate']> = async (context, { params }) => {
  const body = await shownAggregate(context, params);
  return { result: 'done', body, etag: etagOf(body) };
};

/** The live host's robots.txt if the host is open. */
export const getAggregateRobots: Operation<Rows['getAggregateRobots']> = async (context, { params }) => {
  const text = (await shownAggregate(context, params)).robots?.txt;
  if (text === undefined) throw partNotFound('robots.txt', params);
  return { result: 'done', body: text, etag: etagOf(text), headers: { 'content-type': 'text/plain; charset=utf-8' } };
};

export const getAggregatePart: Operation<Rows['getAggregatePart']> = async (context, { params }) => {
  const name = params.part.replace(/\.json$/, '');
  const part = SITE_PART_NAMES.find((one) => one === name);
  const aggregate = await shownAggregate(context, params);
  if (part === undefined) throw unknownPart(name);
  const value = valueAt(aggregate, part.split('/'));
  if (value === undefined) throw partNotFound(part, params);
  return { result: 'done', body: value, etag: etagOf(value) };
};

function unknownPart(name: string): Refusal {
  const parts: readonly SitePart[] = SITE_PART_NAMES;
  return new Refusal('PROPERTY_UNKNOWN', `A site has no part "${name}". Its parts are ${parts.join(', ')}.`, { data: { part: name } });
}

/** The initial configuration of a site's sidekick: its part, completed from the effective configuration (docs/contract.md 8.5). */
export const getSidekickConfig: Operation<(typeof endpoints)['getSidekickConfig']> = async (context, { params }) => {
  const { org, site, ref } = params;
  const problem = hostLabelProblem(ref, site, org);
  if (problem !== undefined) throw new Refusal('HOST_LABEL_TOO_LONG', problem);
  const { aggregate } = await findSite(context, params);
  const { sidekick = {}, cdn, code, content, title } = aggregate;
  const names: Readonly<Record<string, string | undefined>> = { owner: code?.owner, repo: code?.repo, ref, site, org };
  const named = (host: string) => host.replaceAll(/\$(owner|repo|ref|site|org)/g, (text, name: string) => names[name] ?? text);
  const { hosts } = context.settings;
  const label = hostLabel(ref, site, org);
  const { previewHost = cdn?.preview?.host ?? `${label}.${hosts.preview}`, liveHost = cdn?.live?.host ?? `${label}.${hosts.live}` } =
    sidekick;
  const reviewHost = sidekick.reviewHost ?? cdn?.review?.host;
  const host = cdn?.prod?.host ?? sidekick.host;
  const routes = cdn?.prod?.route;
  const body: SidekickConfig = {
    ...sidekick,
    project: sidekick.project ?? title ?? site,
    previewHost: named(previewHost),
    liveHost: named(liveHost),
    ...(reviewHost !== undefined && { reviewHost: named(reviewHost) }),
    ...defined({ host, routes }),
    ...(content !== undefined && { contentSourceUrl: content.source.url, contentSourceType: content.source.type }),
  };
  return { result: 'done', body, etag: etagOf(body) };
};
