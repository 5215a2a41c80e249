import type { AuditEntry, AuditLog, AuditVerification, PublicLog, PublicLogEntry } from '@repoless/contract/audit.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { defined } from '@repoless/contract/json.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { z } from 'zod';
import { type Context, type Input, linkTo, type Operation, type Outcome, pageOf } from '../../domain/context.ts';
import { readJson } from '../../domain/documents.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare } from '../../domain/fair-share.ts';
import { visibleHistoryStart } from '../read-versions.ts';
import { verifyChain } from './chain.ts';
import type { StoredAuditEntry } from '../ports.ts';

interface LogRequest {
  readonly address: string;
  readonly org: string;
  readonly site: string | undefined;
  /** See `visibleHistoryStart`. */
  readonly historyStart?: Date | undefined;
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
}

/** Who changed what in an organization, or in one of its sites. */
export const getLog: Operation<(typeof endpoints)['getLog']> = (context, { params: { org }, query: { site, ...page } }) =>
  readLog(context, { ...page, address: `/config/${org}/log.json`, org, site });

/**
 * Who changed what on a site, for its own admins. Survives the site; admins of a later site with the same name see only its own entries.
 */
export const getSiteLog: Operation<(typeof endpoints)['getSiteLog']> = (context, { params: { org, site }, query }) => {
  const historyStart = visibleHistoryStart(context.caller, 'site:audit', context.permitted ?? {});
  return readLog(context, { ...query, address: `/config/${org}/sites/${site}/log.json`, org, site, historyStart });
};

async function readLog(context: Context, request: LogRequest): Promise<Outcome> {
  const { address, org, site, before, limit = DEFAULT_LIMIT } = request;
  const since = later(request.since === undefined ? undefined : sinceTime(request.since, context.now()), request.historyStart);
  const found = await context.store.reads.audits(org, { limit: limit + 1, ...defined({ site, since, before }) });
  const { shown, last } = pageOf(found, limit);
  const next = last && nextPage(address, request, { since, limit, before: last.id });
  const body: AuditLog = { entries: shown.map(auditEntry), links: defined({ next }) };
  return { result: 'done', body, ...linkTo(next) };
}

function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one !== undefined && other !== undefined && one > other ? one : (other ?? one);
}

// A duration would start later on the next page: all pages count from the same moment.
function nextPage(address: string, { site }: LogRequest, page: { since: Date | undefined; limit: number; before: number }): string {
  const query = new URLSearchParams();
  if (site !== undefined && !address.includes('/sites/')) query.set('site', site);
  if (page.since !== undefined) query.set('since', page.since.toISOString());
  query.set('limit', `${page.limit}`);
  query.set('before', `${page.before}`);
  return `${address}?${query.toString()}`;
}

/** Takes a time, or a duration before now; the contract's schema has checked its form. */
function sinceTime(since: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(since) ?? [];
  if (count === undefined) return new Date(since);
  return new Date(Math.max(0, now.getTime() - Number(count) * (SECONDS[unit] ?? 1) * 1000));
}

function auditEntry({ time, user, action, site, from, to, requestId, hash }: StoredAuditEntry): AuditEntry {
  return { time: time.toISOString(), user, action, ...defined({ site, from, to }), requestId, hash };
}

const DEFAULT_LIMIT = 100;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

type GetPublicLog = (typeof endpoints)['getPublicLog'];

/** The audit trail of a site in the form of the public service (docs/contract.md 8.4). */
export const getPublicLog: Operation<GetPublicLog> = async (context, { params, query }) => {
  const { org, site, ref } = params;
  const { limit = USUAL_ENTRIES } = query;
  const { from, to, before } = spanOf(query, context.now().getTime());
  const historyStart = visibleHistoryStart(context.caller, 'site:audit', context.permitted ?? {});
  const span = { since: new Date(Math.max(from, historyStart?.getTime() ?? 0)), until: new Date(to) };
  const found = await context.store.reads.siteAudits(org, site, { ...span, limit: limit + 1, ...defined({ before }) });
  const { shown, last } = pageOf(found, limit);
  const body: PublicLog = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    entries: shown.map((entry) => entryOf(entry, { org, site })),
    ...(last && nextPublicPage(`/log/${org}/${site}/${ref}`, { from, to, before: last.id }, limit)),
  };
  return { result: 'done', body };
};

interface Span {
  readonly from: number;
  readonly to: number;
  readonly before?: number;
}

/** A page continues in the span of the one before, which would otherwise start later. */
function spanOf({ nextToken, since, from, to }: Input<GetPublicLog>['query'], now: number): Span {
  if (nextToken !== undefined) return readToken(nextToken);
  if (since !== undefined) {
    return { from: sinceTime(since, new Date(now)).getTime(), to: now };
  }
  const end = to === undefined ? now : Date.parse(to);
  const historyStart = from === undefined ? end - USUAL_SPAN : Date.parse(from);
  if (historyStart < end) return { from: historyStart, to: end };
  throw new Refusal('QUERY_INVALID', '"from" has to be earlier than "to".');
}

function nextPublicPage(address: string, { from, to, before = 0 }: Span, limit: number): Pick<PublicLog, 'nextToken' | 'links'> {
  const nextToken = Buffer.from(JSON.stringify([from, to, before])).toString('base64url');
  return { nextToken, links: { next: `${address}?limit=${limit}&nextToken=${nextToken}` } };
}

function readToken(token: string): Span {
  const parsed = Token.safeParse(readJson(Buffer.from(token, 'base64url')));
  if (!parsed.success)
    throw new Refusal('QUERY_INVALID', 'This nextToken was not issued by this service. Omit it to start from the beginning.');
  const [from, to, before] = parsed.data;
  return { from, to, before };
}

function entryOf(
  { time, user, action, from, to, requestId }: StoredAuditEntry,
  { org, site }: { org: string; site: string },
): PublicLogEntry {
  const isCode = /^(?:(?:start|stop)-sync|serve-commit|follow-branch)\//.test(action);
  return {
    timestamp: time.getTime(),
    user,
    action,
    route: isCode ? 'code' : 'config',
    path: isCode ? codePath(action, `${org}/${site}`) : configPath(action, `/config/${org}/sites/${site}`),
    ...callOf(action, { isNew: from === undefined && to !== undefined }),
    org,
    site,
    ...defined({ from, to }),
    requestId,
  };
}

/** The trail has the action; its clients expect the call. */
function callOf(action: string, { isNew }: { isNew: boolean }): Pick<PublicLogEntry, 'method' | 'status'> {
  if (/^(?:delete|stop|remove)-/.test(action)) return { method: 'DELETE', status: 204 };
  if (action.startsWith('start-sync/')) return { method: 'POST', status: 202 };
  const method = /^(?:put|serve|follow)-/.test(action) ? 'PUT' : 'POST';
  return { method, status: isNew || /^(?:create|generate)-/.test(action) ? 201 : 200 };
}

function codePath(action: string, site: string): string {
  const [verb = '', ref = ''] = action.split('/');
  return verb.endsWith('-sync') ? `/code/${site}/${ref}` : `/served-code/${site}/${ref}`;
}

/** The part that an action names, otherwise the site itself. */
function configPath(action: string, site: string): string {
  const name = action.replace(/^(?:set|delete)-/, '');
  if (name === action) return `${site}.json`;
  if (name === 'robots') return `${site}/robots.txt`;
  if (/^content\/\w+\.yaml$/.test(name)) return `${site}/${name}`;
  return SITE_PART_NAMES.some((part) => part === name) ? `${site}/${name}.json` : `${site}.json`;
}

const MOMENT = z.number().int().min(0).max(8.64e15);
const Token = z.tuple([MOMENT, MOMENT, z.number().int().positive()]);
const USUAL_SPAN = 15 * 60_000;
const USUAL_ENTRIES = 1000;

type VerifyLog = (typeof endpoints)['verifyLog'];

/**
 * Whether the audit trail of an organization is unchanged. A long one takes a quarter of a second of the one thread that all share, so
 * verifications take turns: one for an organization, two in total. Refuses with OVERLOADED if too many are waiting.
 */
export function verifyLog(): Operation<VerifyLog> {
  const share = createFairShare(VERIFICATIONS);
  return async (context, input) => await share.run(input.params.org, async () => await verified(context, input));
}

const VERIFICATIONS = {
  atOnce: 2,
  perShare: 1,
  waitingPerShare: LIMITS.verificationsWaiting,
  waiting: 40,
  workName: 'verifications of the audit trail',
};

async function verified({ store }: Context, { params: { org }, query: { after = 0 } }: Input<VerifyLog>): ReturnType<Operation<VerifyLog>> {
  const chain = await verifyChain(store.reads, org, { after, limit: LIMITS.verifiedEntries });
  const next = chain.continues ? `/config/${org}/log/verification.json?after=${chain.verified.to}` : undefined;
  const body: AuditVerification = {
    intact: chain.broken === undefined,
    verified: chain.verified,
    hash: chain.hash,
    ...defined({ broken: chain.broken }),
    links: defined({ next }),
  };
  return { result: 'done', body, ...linkTo(next) };
}
