import { memberMatches, referredGroup } from '@repoless/contract/access.ts';
import { type ReceivedRequest, isWrite, Refusal } from './received-request.ts';
import { type Caller, inAddresses } from './credentials.ts';
import { effective, type StoredItem, isObject, type Json, objectAt, type Store, textAt, textsAt, contentBusId } from './store.ts';
import type { HostedSwitches } from './switches.ts';
import { problemOf } from './schema.ts';

const SYNC = ['admin', 'config_admin', 'develop', 'author', 'publish'];
/** `org`: only roles among the users of the organization count. */
const GRANTS = {
  'config:read': { roles: ['admin', 'config_admin'] },
  'config:write': { roles: ['admin', 'config_admin'] },
  'access:write': { roles: ['admin'] },
  'keys:write': { roles: ['admin'] },
  'aggregate:read': { roles: ['admin', 'config_admin', 'config'] },
  'job:read': { roles: [...SYNC, 'basic_author', 'basic_publish'] },
  'code:write': { roles: SYNC },
  'log:read': { roles: SYNC },
  'org:read': { roles: ['admin', 'config_admin'], org: true },
  'org:write': { roles: ['admin'], org: true },
} as const;
export type Permission = keyof typeof GRANTS;

export interface Guard {
  /** Throws 401 or 403 if the caller lacks the permission. `site`: its roles count in addition to the organization's. */
  require(permission: Permission, org: string, site: StoredItem | undefined, refusal?: string): void;
  roles(org: string, site: StoredItem | undefined): readonly string[];
  readonly caller: Caller;
}

export interface GuardParts {
  readonly store: Store;
  readonly switches: HostedSwitches;
  readonly request: ReceivedRequest;
  readonly caller: Caller;
  /** Hosts and ports of a site, preview and live. */
  hostsOf(site: StoredItem): readonly string[];
}

export function guardOf(parts: GuardParts): Guard {
  const { store, caller } = parts;
  const roles = (org: string, site: StoredItem | undefined, onlyOrg = false): readonly string[] => {
    const organization = store.find('org', org, '')?.document;
    if (caller.isStale || !isFromTrustedOrigin(parts, site)) return [];
    if (caller.kind === 'key') return keyRoles(parts, org, onlyOrg ? undefined : site);
    const granted = grantedByUsers(organization, caller);
    if (caller.kind === 'ims' && caller.claims['client_id'] === 'cm-repo-service') granted.push('develop');
    return onlyOrg || site?.document === undefined
      ? granted
      : [...granted, ...siteRoles(effective(store, site), organization, caller, granted.length > 0)];
  };
  return {
    caller,
    roles,
    require(permission, org, site, refusal = '') {
      const grant: { readonly roles: readonly string[]; readonly org?: boolean } = GRANTS[permission];
      const own = roles(org, site, grant.org);
      if (own.some((role) => grant.roles.includes(role))) return;
      if (caller.kind === 'anonymous' || isUnlistedKey(parts, org, site)) throw new Refusal(401, 'not authenticated');
      throw new Refusal(403, `${refusal}not authorized`);
    },
  };
}

function grantedByUsers(organization: Json | undefined, caller: Caller): string[] {
  const users: unknown = organization?.['users'];
  return (Array.isArray(users) ? users : []).flatMap((user) =>
    means([textAt(user, 'email')], organization, caller) ? textsAt(user, 'roles') : [],
  );
}

function siteRoles(document: Json, organization: Json | undefined, caller: Caller, hasRole: boolean): string[] {
  const admin = objectAt(document, 'access', 'admin');
  const lists = Object.entries(objectAt(admin, 'role'));
  if (caller.kind === 'anonymous') {
    const { requireAuth = 'auto' } = admin;
    return requireAuth === false || (requireAuth === 'auto' && lists.length === 0) ? ['basic_publish'] : [];
  }
  const own = lists.filter(([role]) => means(textsAt(admin, 'role', role), organization, caller, document)).map(([role]) => role);
  if (own.length > 0 || hasRole) return own;
  return lists.length === 0 ? ['basic_publish'] : textsAt(admin, 'defaultRole');
}

/** Whether a list includes the caller; groups are looked up in the site, then in the organization. */
function means(list: readonly string[], organization: Json | undefined, caller: Caller, site?: Json): boolean {
  if (caller.kind === 'anonymous') return false;
  return list.some((entry) => {
    const group = referredGroup(entry);
    if (group === undefined) return memberMatches(entry, caller.names);
    const found = objectAt(site, 'groups', group)['members'] ?? objectAt(organization, 'groups', group)['members'];
    return Array.isArray(found) && found.some((member) => memberMatches(textAt(member, 'email'), caller.names));
  });
}

/** A key has its roles while a configuration lists it, and within its subject. */
function keyRoles(parts: GuardParts, org: string, site: StoredItem | undefined): string[] {
  const [keyOrg, keySite = ''] = String(parts.caller.claims['sub']).split('/');
  const isOfOrg = keySite === '' || keySite === '*';
  if (keyOrg !== org || !(isOfOrg || keySite === site?.name) || isUnlistedKey(parts, org, site)) return [];
  return textsAt(parts.caller.claims, 'roles');
}

function isUnlistedKey({ store, switches, request, caller }: GuardParts, org: string, site: StoredItem | undefined): boolean {
  if (caller.kind !== 'key') return false;
  const id = textAt(caller.claims, 'jti');
  // A site's key is recognized elsewhere, but has no role there.
  const [, own = ''] = String(caller.claims['sub']).split('/');
  const documents = [store.find('org', org, '')?.document, (site ?? store.find('sites', org, own))?.document].filter(isObject);
  const isRegistered = documents.some((one) => textsAt(one, 'access', 'admin', 'apiKeyId').includes(id));
  if (request.generation === 'H6' && switches.successorNeedsKeyId) return !isRegistered;
  return !isRegistered && !documents.some((one) => Object.hasOwn(objectAt(one, 'apiKeys'), inAddresses(id)));
}

const TRUSTED = ['https://tools.aem.live', 'https://labs.aem.live', 'http://localhost:3000'];

/** A token requested by a browser extension is accepted only from certain origins: others might have had it set by that extension. */
function isFromTrustedOrigin({ request, caller, hostsOf, store }: GuardParts, site: StoredItem | undefined): boolean {
  if (caller.claims['extensionId'] === undefined) return true;
  const { origin, 'sec-fetch-mode': mode } = request.headers;
  if (origin === undefined) return mode === undefined || (mode === 'cors' && !isWrite(request.method));
  if (TRUSTED.includes(origin) || origin === `chrome-extension://${textAt(caller.claims, 'extensionId')}`) return true;
  if (site?.document === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  const document = effective(store, site);
  const source = textAt(document, 'content', 'source', 'url');
  const sidekick = objectAt(document, 'sidekick');
  return (
    hostsOf(site).includes(host) ||
    ['host', 'previewHost', 'liveHost', 'reviewHost'].some((name) => sidekick[name] === host) ||
    (URL.canParse(source) && new URL(source).origin === origin) ||
    textsAt(document, 'limits', 'admin', 'trustedHosts').some((glob) => matchesGlob(host, glob))
  );
}

function matchesGlob(host: string, glob: string): boolean {
  const pattern = glob.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(host);
}

/** What every configuration call needs. */
export interface Context {
  readonly store: Store;
  readonly switches: HostedSwitches;
  readonly request: ReceivedRequest;
  readonly guard: Guard;
  /** The commit of a branch that a sync fetches; undefined: any. */
  head(repository: string, branch: string): string | undefined;
  /** A new API key with these claims. */
  issueKey(claims: Json): string;
}

/** Validates a document and stores it as a new version. */
export function storeDocument(context: Context, item: StoredItem, document: unknown, doing: 'creating' | 'updating' | 'removing'): Json {
  const { store, request, guard } = context;
  const ready = completed(context, item, document, `Error ${doing} config: `);
  const user = textAt(guard.caller.claims, 'email') || undefined;
  return store.save(item, ready, { user, versionName: request.query.get('versionName') });
}

/** The document with the members set by the service. Throws 400 if it is invalid; `doing` starts the message. */
function completed({ switches }: Context, { of }: StoredItem, document: unknown, doing: string): Json {
  const whole: Json = isObject(document) ? document : {};
  const now = new Date().toISOString();
  const { content, code } = whole;
  const ready: Json = {
    ...whole,
    version: whole['version'] ?? 1,
    created: whole['created'] ?? now,
    lastModified: now,
    ...(isObject(content) ? { content: { ...content, contentBusId: contentBusId(whole) } } : {}),
    ...(isObject(code) ? { code: completedCode(code, switches.byogit !== 'refused', switches.sourceAlone) } : {}),
  };
  // The address for a profile's keys exists, but its schema has none.
  const { apiKeys: _apiKeys, ...withoutKeys } = ready;
  const problem = problemOf(of, of === 'profiles' ? withoutKeys : ready);
  if (problem !== undefined) throw new Refusal(400, `${doing}${problem}`);
  const host = hostOf(textAt(content, 'source', 'url'));
  if (switches.tenantLocks.includes(host)) throw new Refusal(400, `${doing}${host} denied by tenant lock`);
  const isPreserved = switches.byogit === 'byogit' && textAt(code, 'source', 'type') === 'byogit';
  return isPreserved
    ? { ...ready, code: { ...objectAt(ready, 'code'), source: { ...objectAt(ready, 'code', 'source'), type: 'byogit' } } }
    : ready;
}

function completedCode(code: Json, takesByogit: boolean, takesSourceAlone: boolean): Json {
  const source = objectAt(code, 'source');
  const [owner, repo] = textAt(source, 'url')
    .replace(/\.git$/, '')
    .split('/')
    .slice(-2);
  const named = takesSourceAlone && code['owner'] === undefined && code['repo'] === undefined && source['url'] !== undefined;
  const isByogit = takesByogit && source['type'] === 'byogit';
  return {
    ...(named ? { owner: source['owner'] ?? owner, repo: source['repo'] ?? repo } : {}),
    ...code,
    ...(isByogit ? { source: { ...source, type: 'github' } } : {}),
  };
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
