import type { AuditEntry, AuditLog } from '@repoless/contract/audit.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import type { Context } from '../../domain/context.ts';
import { visibleHistoryStart } from '../subject.ts';
import type { StoredAuditEntry } from './ports.ts';
import type { Outcome, Operation } from '../../domain/operation.ts';

interface LogRequest {
  /** The address of the log. */
  readonly address: string;
  readonly org: string;
  readonly site: string | undefined;
  /** See `visibleHistoryStart`. */
  readonly begin?: Date | undefined;
  readonly since?: string | undefined;
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
}

/** Who changed what in an organization, or in one site of it. */
export const getLog: Operation<(typeof endpoints)['getLog']> = (context, { params: { org }, query: { site, ...page } }) =>
  readLog(context, { ...page, address: `/config/${org}/log.json`, org, site });

/** Who changed what of a site: for its own admins. It outlives the site; those of another that has its name see their own entries alone. */
export const getSiteLog: Operation<(typeof endpoints)['getSiteLog']> = (context, { params: { org, site }, query }) => {
  const begin = visibleHistoryStart(context.caller, 'site:audit', context.permitted ?? {});
  return readLog(context, { ...query, address: `/config/${org}/sites/${site}/log.json`, org, site, begin });
};

async function readLog(context: Context, asked: LogRequest): Promise<Outcome> {
  const { address, org, site, before, limit = DEFAULT_LIMIT } = asked;
  const since = later(asked.since === undefined ? undefined : sinceTime(asked.since, context.now()), asked.begin);
  // One more than asked for shows whether there is a next page.
  const found = await context.store.reads.audits(org, {
    limit: limit + 1,
    ...(site === undefined ? {} : { site }),
    ...(since === undefined ? {} : { since }),
    ...(before === undefined ? {} : { before }),
  });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = last === undefined || found.length <= shown.length ? undefined : nextPage(address, asked, { since, limit, before: last.id });
  const body: AuditLog = { entries: shown.map(auditEntry), links: next === undefined ? {} : { next } };
  return { result: 'done', body, ...(next === undefined ? {} : { headers: { link: `<${next}>; rel="next"` } }) };
}

function later(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one !== undefined && other !== undefined && one > other ? one : (other ?? one);
}

// A duration would begin later on the next page: the page after it counts from the same moment.
function nextPage(address: string, { site }: LogRequest, page: { since: Date | undefined; limit: number; before: number }): string {
  const query = new URLSearchParams();
  if (site !== undefined && !address.includes('/sites/')) query.set('site', site);
  if (page.since !== undefined) query.set('since', page.since.toISOString());
  query.set('limit', `${page.limit}`);
  query.set('before', `${page.before}`);
  return `${address}?${query.toString()}`;
}

/** In: a time, or a duration before now; the contract's schema has checked its form. */
function sinceTime(since: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(since) ?? [];
  if (count === undefined) return new Date(since);
  return new Date(Math.max(0, now.getTime() - Number(count) * (SECONDS[unit] ?? 1) * 1000));
}

function auditEntry({ time, user, action, site, from, to, requestId, hash }: StoredAuditEntry): AuditEntry {
  return {
    time: time.toISOString(),
    user,
    action,
    ...(site === undefined ? {} : { site }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    requestId,
    hash,
  };
}

const DEFAULT_LIMIT = 100;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
