import { SITE_TOKEN_PREFIX } from '@repoless/contract/credentials.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { createChangeAwareCache } from '../domain/change-aware-cache.ts';
import type { Store } from '../domain/ports.ts';
import { ORG_OWNER, type Owner, ownerAt, profileOwner, type StoredOwner } from '../owners/owner.ts';
import type { StoredSecret } from './secret-box.ts';

/** A site, and the profile that it extends. */
export interface SecretScope {
  readonly org: string;
  readonly site: string;
  readonly profile?: string | undefined;
}

export interface SecretHashCache {
  /**
   * Whether a value is valid at the hosts of a site: that of a generated secret, one of the named ones, or of a site token, and not
   * expired. A secret is identified by its name, or by its identifier in a document, and searched for at the site first, then in its
   * profile, then in its organization.
   */
  isOneOf(scope: SecretScope, names: readonly string[], value: string): Promise<boolean>;
}

/** The hashes of generated secrets and site tokens by owner. */
export function createSecretHashCache(settings: { readonly store: Pick<Store, 'reads' | 'onSiteChange'>; now(): Date }): SecretHashCache {
  const { store, now } = settings;
  const cache = createChangeAwareCache({ now, read: (key) => readHashes(store.reads, ownerOfKey(key)) });
  store.onSiteChange((org, site) => cache.invalidate(`${org}/${site}`));
  return {
    async isOneOf({ org, site, profile }, names, value) {
      const mayBeToken = value.startsWith(SITE_TOKEN_PREFIX);
      if (names.length === 0 && !mayBeToken) return false;
      const owners = [site, ...(profile === undefined ? [] : [profileOwner(profile)]), ORG_OWNER];
      const stored = await Promise.all(owners.map((owner) => cache.get(`${org}/${owner}`)));
      const digest = createHash('sha256').update(value).digest();
      const named = names.map((name) => stored.find(({ secrets }) => secrets.has(name))?.secrets.get(name));
      const tokens = mayBeToken ? stored.flatMap((one) => one.tokens) : [];
      return [...named, ...tokens].map((one) => isUnexpired(one, now()) && isSame(one?.hash, digest)).includes(true);
    },
  };
}

interface HashedSecret {
  readonly hash: Buffer;
  readonly expires: Date | undefined;
}

interface Hashes {
  /** By name, and by identifier in the document. */
  readonly secrets: ReadonlyMap<string, HashedSecret>;
  readonly tokens: readonly HashedSecret[];
}

async function readHashes(reads: Store['reads'], owner: StoredOwner): Promise<Hashes> {
  const [stored, named] = await Promise.all([reads.secrets(owner.org, owner.site), namedSecrets(reads, ownerAt(owner))]);
  const hashed = stored.filter(({ type }) => type === 'hashed');
  const byName = new Map(hashed.filter((secret) => !isSiteToken(secret)).map((secret) => [secret.name, hashOf(secret)]));
  const byId = Object.entries(named).flatMap(([name, { id }]) => {
    const secret = byName.get(name);
    return secret === undefined ? [] : [[id, secret] as const];
  });
  return { secrets: new Map([...byId, ...byName]), tokens: hashed.filter(isSiteToken).map(hashOf) };
}

/** The names of secrets in an owner's document. */
async function namedSecrets(reads: Store['reads'], { org, site, profile }: Owner) {
  if (site !== undefined) return (await reads.site(org, site))?.config.secrets ?? {};
  return (profile === undefined ? await reads.org(org) : await reads.profile(org, profile))?.config.secrets ?? {};
}

function hashOf({ sealed, expires }: StoredSecret): HashedSecret {
  return { hash: Buffer.from(sealed, 'base64url'), expires };
}

/** Takes `<org>/<owner>`; an organization's name contains no slash. */
function ownerOfKey(key: string): StoredOwner {
  const slash = key.indexOf('/');
  return { org: key.slice(0, slash), site: key.slice(slash + 1) };
}

function isUnexpired(secret: HashedSecret | undefined, now: Date): boolean {
  return secret?.expires === undefined || secret.expires > now;
}

function isSame(hash: Buffer | undefined, digest: Buffer): boolean {
  return hash?.length === digest.length && timingSafeEqual(hash, digest);
}

/**
 * A site token is stored as a generated secret of its owner, under a name that no secret can have: code that removes, counts and lists
 * secrets covers it.
 */
export function siteTokenName(id: string): string {
  return `${PREFIX}${id}`;
}

export function isSiteToken({ name }: Pick<StoredSecret, 'name'>): boolean {
  return name.startsWith(PREFIX);
}

export function siteTokenId({ name }: Pick<StoredSecret, 'name'>): string {
  return name.slice(PREFIX.length);
}

const PREFIX = 'token/';
