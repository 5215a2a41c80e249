import type { PublicLog, PublicLogEntry } from '@repoless/contract/audit.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { SITE_PART_NAMES } from '@repoless/contract/site.ts';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Input, Operation } from '../../domain/operation.ts';
import { visibleHistoryStart } from '../subject.ts';
import type { StoredAuditEntry } from './ports.ts';

type GetPublicLog = (typeof endpoints)['getPublicLog'];

/** The audit trail of a site in the form of the public service (docs/contract.md 8.4). */
export const getPublicLog: Operation<GetPublicLog> = async (context, { params, query }) => {
  const { org, site, ref } = params;
  const { limit = USUAL_ENTRIES } = query;
  const { from, to, before } = spanOf(query, context.now().getTime());
  const begin = visibleHistoryStart(context.caller, 'site:audit', context.permitted ?? {});
  const span = { since: new Date(Math.max(from, begin?.getTime() ?? 0)), until: new Date(to) };
  // One more than asked for shows whether there is a next page.
  const found = await context.store.reads.siteAudits(org, site, { ...span, limit: limit + 1, ...(before === undefined ? {} : { before }) });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const body: PublicLog = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    entries: shown.map((entry) => entryOf(entry, { org, site })),
    ...(last !== undefined && found.length > shown.length && nextPage(`/log/${org}/${site}/${ref}`, { from, to, before: last.id }, limit)),
  };
  return { result: 'done', body };
};

interface Span {
  readonly from: number;
  readonly to: number;
  readonly before?: number;
}

/** A page goes on in the span of the one before: one that ended now would begin later. */
function spanOf({ nextToken, since, from, to }: Input<GetPublicLog>['query'], now: number): Span {
  if (nextToken !== undefined) return readToken(nextToken);
  if (since !== undefined) {
    const [, count = '', unit = ''] = /^(\d+)(.)$/.exec(since) ?? [];
    return { from: Math.max(0, now - Number(count) * (SECONDS[unit] ?? 1) * 1000), to: now };
  }
  const end = to === undefined ? now : Date.parse(to);
  const begin = from === undefined ? end - USUAL_SPAN : Date.parse(from);
  if (begin < end) return { from: begin, to: end };
  throw new Refusal('QUERY_INVALID', '"from" has to be earlier than "to".');
}

function nextPage(address: string, { from, to, before = 0 }: Span, limit: number): Pick<PublicLog, 'nextToken' | 'links'> {
  const nextToken = Buffer.from(JSON.stringify([from, to, before])).toString('base64url');
  return { nextToken, links: { next: `${address}?limit=${limit}&nextToken=${nextToken}` } };
}

function readToken(token: string): Span {
  const parsed = Token.safeParse(parsedJson(Buffer.from(token, 'base64url').toString()));
  if (!parsed.success)
    throw new Refusal('QUERY_INVALID', 'This nextToken was not issued by this service. Omit it to start from the beginning.');
  const [from, to, before] = parsed.data;
  return { from, to, before };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function entryOf(
  { time, user, action, from, to, requestId }: StoredAuditEntry,
  { org, site }: { org: string; site: string },
): PublicLogEntry {
  const isCode = /^(?:start|stop)-sync\//.test(action);
  return {
    timestamp: time.getTime(),
    user,
    action,
    route: isCode ? 'code' : 'config',
    path: isCode ? `/code/${org}/${site}/${action.slice(action.indexOf('/') + 1)}` : configPath(action, `/config/${org}/sites/${site}`),
    ...callOf(action, { isNew: from === undefined && to !== undefined }),
    org,
    site,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    requestId,
  };
}

/** The trail says what was done, and its clients read which call does it. */
function callOf(action: string, { isNew }: { isNew: boolean }): Pick<PublicLogEntry, 'method' | 'status'> {
  if (/^(?:delete|stop|remove)-/.test(action)) return { method: 'DELETE', status: 204 };
  if (action.startsWith('start-sync/')) return { method: 'POST', status: 202 };
  const method = action.startsWith('put-') ? 'PUT' : 'POST';
  return { method, status: isNew || /^(?:create|generate)-/.test(action) ? 201 : 200 };
}

/** The part that an action names, or else the site itself. */
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
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
