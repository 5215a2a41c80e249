import { auditEndpoints, AuditEntry, type AuditVerification } from '@repoless/contract/audit.ts';
import { canonical } from '@repoless/contract/json.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { createHash } from 'node:crypto';
import type { Call, Operation, Outcome } from './call.ts';
import { notOffered } from './refusals.ts';
import { type ChangeFacts, changesOf, type Trail, type TrailRange } from './store.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { z } from 'zod';
import { type Kind, ORG, requireDocument, SITE } from './document.ts';

/** Changes through the bridge, newest first. The hosted service's own log says that something changed, but not what. */
export const LOG_OPERATIONS: Readonly<Record<string, Operation>> = {
  getLog: (call) => log(call, ORG, call.query['site']),
  getSiteLog: (call) => log(call, SITE, call.params['site']),
  verifyLog: async (call) => {
    const { trail } = call.options.store;
    if (trail === undefined) throw notOffered('verifyLog', auditEndpoints.verifyLog, call.options.service);
    // Callers who may read the document may read its log.
    await requireDocument(call, ORG);
    const { org = '' } = call.params;
    const { continues, ...found } = await verifyTrail(trail, org, Number(call.query['after'] ?? 0));
    const links = continues ? { next: printAddress(call.address, {}, { after: found.verified.to }) } : {};
    const headers = links.next === undefined ? {} : { headers: { link: `<${links.next}>; rel="next"` } };
    return { status: 200, body: { ...found, links } satisfies AuditVerification, ...headers };
  },
};

async function log(call: Call, kind: Kind, site: unknown): Promise<Outcome> {
  await requireDocument(call, kind);
  const { options, params, query } = call;
  const request = {
    before: Number(query['before'] ?? Infinity),
    since: sinceOf(query['since'], options.now()),
    limit: Number(query['limit'] ?? MOST),
    isIncluded: (entry: AuditEntry) => site === undefined || entry.site === site,
  };
  const { trail } = options.store;
  const found = trail === undefined ? await entriesOf(call, request) : await newestEntries(trail, params['org'] ?? '', request);
  const page = found.slice(0, request.limit);
  const last = page.at(-1)?.number;
  const links = page.length < found.length ? { next: printAddress(call.address, {}, { ...query, before: last }) } : {};
  return { status: 200, body: { entries: page.map(({ entry }) => entry), links } };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST = 1000;

interface LogRequest {
  readonly before: number;
  readonly since: string;
  isIncluded(entry: AuditEntry): boolean;
}

/** The newest first, numbered from 1, each with its own hash and the hash of the one before. */
async function entriesOf(
  { options, params }: Call,
  { before, since, isIncluded }: LogRequest,
): Promise<{ number: number; entry: AuditEntry }[]> {
  let hash = '';
  const all = (await changesOf(options.store, params['org'] ?? '')).map((change, index) => {
    const entry = entryOf(change);
    hash = createHash('sha256')
      .update(hash)
      .update(JSON.stringify(canonical(entry)))
      .digest('hex');
    return { number: index + 1, entry: { ...entry, hash } };
  });
  return all.filter(({ number, entry }) => number < before && entry.time >= since && isIncluded(entry)).toReversed();
}

function sinceOf(since: unknown, now: Date): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(String(since)) ?? [];
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * (UNITS[unit] ?? 0)).toISOString();
  return typeof since === 'string' ? new Date(since).toISOString() : '';
}

/** As an entry of the audit trail. */
export function entryOf({ time, user, subject, call, version, invocation, id }: ChangeFacts): Omit<AuditEntry, 'hash'> {
  const [kind, name] = subject.split('/');
  return {
    time,
    user,
    action: actionOf(call, subject),
    ...(kind === 'sites' && name !== undefined ? { site: name } : {}),
    ...(version === undefined ? {} : { to: version }),
    requestId: invocation ?? id,
  };
}

/** The name of the action in the audit trail: `put-site`, `set-access/admin`, `delete-public`. */
function actionOf(call: string, subject: string): string {
  const [method = '', address = ''] = call.split(' ');
  const below = address.replace(/\.json$/, '').replace(/^\/config\/[^/]+\/?/, '');
  const part = below.slice(subject.length).replace(/^\//, '');
  const verb = method === 'DELETE' ? 'delete' : 'set';
  if (subject === '') return part === '' ? 'put-org' : `${verb}-${part}`;
  if (subject.startsWith('profiles/'))
    return part === '' && verb === 'set' ? `${method.toLowerCase()}-profiles` : `${verb}-profiles/${part}`;
  return part === '' ? `${method.toLowerCase()}-site` : `${verb}-${part}`;
}

/** As stored: `previous` is the hash of the entry before, empty for the first. */
const ChainedEntry = z.object({ number: z.number().int(), previous: z.string(), entry: AuditEntry });
export type ChainedEntry = z.infer<typeof ChainedEntry>;
export type Unchained = Omit<AuditEntry, 'hash'>;

const PAGE = 1000;
/** Attempts to find a free number. */
const ATTEMPTS = 100;

/** Stores an action as the next entry. If another writer takes the number first, uses the one after it. */
export async function appendEntry(trail: Trail, org: string, entry: Unchained): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [last] = await read(trail, org, { after: 0, before: Infinity, newestFirst: true, limit: 1 });
    const number = (last?.number ?? 0) + 1;
    const previous = last?.entry.hash ?? '';
    const hash = hashOf({ number, previous, entry });
    if (await trail.add(org, number, { number, previous, entry: { ...entry, hash } } satisfies ChainedEntry)) return;
  }
  throw new Error('The audit trail is being written by too many.');
}

/** The newest matching entries, before a number and not earlier than a time; one more than the limit if there are more. */
export async function newestEntries(
  trail: Trail,
  org: string,
  request: { readonly before: number; readonly since: string; readonly limit: number; isIncluded(entry: AuditEntry): boolean },
): Promise<ChainedEntry[]> {
  const found: ChainedEntry[] = [];
  for (let { before } = request; found.length <= request.limit;) {
    const page = await read(trail, org, { after: 0, before, newestFirst: true, limit: PAGE });
    found.push(...page.filter(({ entry }) => entry.time >= request.since && request.isIncluded(entry)));
    before = page.at(-1)?.number ?? 0;
    // Entries of several nodes may be slightly out of order, but by less than a page.
    if (page.length < PAGE || page.every(({ entry }) => entry.time < request.since)) break;
  }
  return found.slice(0, request.limit + 1);
}

/** Whether the entries after a number are unchanged, as many as one call verifies. */
export async function verifyTrail(
  trail: Trail,
  org: string,
  after: number,
): Promise<Omit<AuditVerification, 'links'> & { continues: boolean }> {
  const [first] = after === 0 ? [] : await read(trail, org, { after: after - 1, before: after + 1, newestFirst: false, limit: 1 });
  let last = { number: after, hash: first?.entry.hash ?? '' };
  const ended = (continues: boolean, broken?: AuditVerification['broken']) => ({
    intact: broken === undefined,
    verified: { from: after + 1, to: last.number },
    hash: last.hash,
    ...(broken === undefined ? {} : { broken }),
    continues,
  });
  while (last.number - after < LIMITS.verifiedEntries) {
    const page = await read(trail, org, { after: last.number, before: Infinity, newestFirst: false, limit: PAGE });
    for (const chained of page) {
      const number = last.number + 1;
      if (chained.number !== number)
        return ended(false, { entry: number, problem: 'missing', sentence: `Entry ${number} is missing: it was removed or moved.` });
      if (chained.previous !== last.hash || chained.entry.hash !== hashOf(chained))
        return ended(false, { entry: number, problem: 'altered', sentence: `Entry ${number} was altered or moved.` });
      last = { number, hash: chained.entry.hash };
    }
    if (page.length < PAGE) return ended(false);
  }
  return ended(true);
}

async function read(trail: Trail, org: string, range: TrailRange): Promise<ChainedEntry[]> {
  return (await trail.between(org, range)).flatMap((value) => ChainedEntry.safeParse(value).data ?? []);
}

function hashOf({ number, previous, entry }: { readonly number: number; readonly previous: string; readonly entry: Unchained }): string {
  const { hash: _hash, ...shown } = entry as AuditEntry;
  return createHash('sha256')
    .update(JSON.stringify(canonical([number, previous, shown])))
    .digest('hex');
}
