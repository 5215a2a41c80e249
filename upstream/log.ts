import { auditEndpoints, type AuditEntry, type AuditVerification } from '@repoless/contract/audit.ts';
import { canonical } from '@repoless/contract/json.ts';
import { printAddress } from '@repoless/core/api/client.ts';
import { createHash } from 'node:crypto';
import { aboutOf, type Call, type Operation, type Outcome } from './call.ts';
import { type Kind, load, ORG, SITE } from './document.ts';
import { notOffered, refusalOf } from './refusals.ts';
import { changesOf, type ChangeFacts } from './store.ts';
import { newestEntries, verifyTrail } from './trail.ts';

/** Changes through the bridge, newest first. The hosted service's own log says that something changed, but not what. */
export const LOG_OPERATIONS: Readonly<Record<string, Operation>> = {
  getLog: (call) => log(call, ORG, call.query['site']),
  getSiteLog: (call) => log(call, SITE, call.params['site']),
  verifyLog: async (call) => {
    const { trail } = call.options.store;
    if (trail === undefined) throw notOffered('verifyLog', auditEndpoints.verifyLog, call.options.service);
    await requireReader(call, ORG);
    const { org = '' } = call.params;
    const { goesOn, ...found } = await verifyTrail(trail, org, Number(call.query['after'] ?? 0));
    const links = goesOn ? { next: printAddress(call.address, {}, { after: found.verified.to }) } : {};
    const headers = links.next === undefined ? {} : { headers: { link: `<${links.next}>; rel="next"` } };
    return { status: 200, body: { ...found, links } satisfies AuditVerification, ...headers };
  },
};

/** Callers who may read the document may read its log. */
async function requireReader(call: Call, kind: Kind): Promise<void> {
  if ((await load(call, kind)) === undefined) throw refusalOf({ status: 404, headers: {}, text: '' }, aboutOf(call, call.params));
}

async function log(call: Call, kind: Kind, site: unknown): Promise<Outcome> {
  await requireReader(call, kind);
  const { options, params, query } = call;
  const asked = {
    before: Number(query['before'] ?? Infinity),
    since: sinceOf(query['since'], options.now()),
    limit: Number(query['limit'] ?? MOST),
    isWanted: (entry: AuditEntry) => site === undefined || entry.site === site,
  };
  const { trail } = options.store;
  const found = trail === undefined ? await entriesOf(call, asked) : await newestEntries(trail, params['org'] ?? '', asked);
  const page = found.slice(0, asked.limit);
  const last = page.at(-1)?.number;
  const links = page.length < found.length ? { next: printAddress(call.address, {}, { ...query, before: last }) } : {};
  return { status: 200, body: { entries: page.map(({ entry }) => entry), links } };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const MOST = 1000;

interface Asked {
  readonly before: number;
  readonly since: string;
  isWanted(entry: AuditEntry): boolean;
}

/** The newest first, numbered from 1, each with its own hash and the hash of the one before. */
async function entriesOf({ options, params }: Call, { before, since, isWanted }: Asked): Promise<{ number: number; entry: AuditEntry }[]> {
  let hash = '';
  const all = (await changesOf(options.store, params['org'] ?? '')).map((change, index) => {
    const entry = entryOf(change);
    hash = createHash('sha256')
      .update(hash)
      .update(JSON.stringify(canonical(entry)))
      .digest('hex');
    return { number: index + 1, entry: { ...entry, hash } };
  });
  return all.filter(({ number, entry }) => number < before && entry.time >= since && isWanted(entry)).toReversed();
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
