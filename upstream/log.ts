import type { AuditEntry } from '@repoless/contract/audit.ts';
import { canonical } from '@repoless/contract/json.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { createHash } from 'node:crypto';
import { aboutOf, type Call, type Operation, type Outcome } from './call.ts';
import { type Kind, load, ORG, SITE } from './document.ts';
import { refusalOf } from './refusals.ts';
import { changesOf, type ChangeFacts } from './store.ts';

/** What went through the bridge, newest first. The hosted service's own log says that something changed, and not what. */
export const LOG_OPERATIONS: Readonly<Record<string, Operation>> = {
  getLog: (call) => log(call, ORG, call.query['site']),
  getSiteLog: (call) => log(call, SITE, call.params['site']),
};

/** Who may read the document may read what became of it. */
async function log(call: Call, kind: Kind, site: unknown): Promise<Outcome> {
  if ((await load(call, kind)) === undefined) throw refusalOf({ status: 404, headers: {}, text: '' }, aboutOf(call, call.params));
  const { before = Infinity, limit = MOST } = call.query;
  const since = sinceOf(call.query['since'], call.options.now());
  const all = await entriesOf(call);
  const meant = all.filter(
    ({ number, entry }) => number < Number(before) && entry.time >= since && (site === undefined || entry.site === site),
  );
  const page = meant.toReversed().slice(0, Number(limit));
  const last = page.at(-1)?.number;
  const query = { ...call.query, ...(last === undefined ? {} : { before: last }) };
  const links = page.length < meant.length ? { next: printAddress(call.address, {}, query) } : {};
  return { status: 200, body: { entries: page.map(({ entry }) => entry), links } };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST = 1000;

/** The oldest first, by their numbers from 1, each with the hash of itself and of the one before. */
async function entriesOf({ options, params }: Call): Promise<{ readonly number: number; readonly entry: AuditEntry }[]> {
  let hash = '';
  return (await changesOf(options.store, params['org'] ?? '')).map((change, index) => {
    const entry = entryOf(change);
    hash = createHash('sha256')
      .update(hash)
      .update(JSON.stringify(canonical(entry)))
      .digest('hex');
    return { number: index + 1, entry: { ...entry, hash } };
  });
}

function sinceOf(since: unknown, now: Date): string {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(String(since)) ?? [];
  if (amount !== undefined) return new Date(now.getTime() - Number(amount) * (UNITS[unit] ?? 0)).toISOString();
  return typeof since === 'string' ? new Date(since).toISOString() : '';
}

function entryOf({ time, user, subject, call, version, invocation, id }: ChangeFacts): Omit<AuditEntry, 'hash'> {
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

/** As the audit trail names it: `put-site`, `set-access/admin`, `delete-public`. */
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
