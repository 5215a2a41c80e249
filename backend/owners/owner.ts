import type { Context } from '../domain/context.ts';
import type { AuditEntry } from '../history/ports.ts';
import { requireUser } from '../sessions/identity.ts';

/** The owner of a secret, a site token or an API key: a site, a profile, or the organization itself if neither is named. */
export interface Owner {
  readonly org: string;
  readonly site?: string;
  readonly profile?: string;
}

/** The stored form: `site` is the name of a site, or stands for a profile or the organization. */
export interface StoredOwner {
  readonly org: string;
  readonly site: string;
}

/** No site can have this name. */
export const ORG_OWNER = '*';
export function profileOwner(profile: string): string {
  return `profiles/${profile}`;
}

export function ownerKey({ site, profile }: Owner): string {
  return site ?? (profile === undefined ? ORG_OWNER : profileOwner(profile));
}

export function storedOwner(owner: Owner): StoredOwner {
  return { org: owner.org, site: ownerKey(owner) };
}

export function profileAt(owner: string): string | undefined {
  const prefix = profileOwner('');
  return owner.startsWith(prefix) ? owner.slice(prefix.length) : undefined;
}

export function ownerAt({ org, site: key }: StoredOwner): Owner {
  if (key === ORG_OWNER) return { org };
  const profile = profileAt(key);
  return profile === undefined ? { org, site: key } : { org, profile };
}

/** At the start of a sentence. */
export function ownerName({ org, site, profile }: Owner): string {
  if (site !== undefined) return `Site "${org}/${site}"`;
  return profile === undefined ? `The organization "${org}"` : `The profile "${org}/${profile}"`;
}

/** An action on a credential of an owner: `set`, `secret`, `cm-byog`. */
type Done = readonly [verb: 'set' | 'generate' | 'create' | 'delete', noun: 'secret' | 'api-key' | 'token', id: string];

export function ownerAudit(context: Context, owner: Owner, done: Done): AuditEntry {
  const { org, site } = owner;
  const entry = { org, time: context.now(), user: requireUser(context.caller).email, requestId: context.requestId };
  return { ...entry, ...(site === undefined ? {} : { site }), action: ownerAction(owner, done) };
}

/** For a profile, every action sets or removes a part. */
function ownerAction({ profile }: Owner, [verb, noun, id]: Done): string {
  if (profile === undefined) return `${verb}-${noun}/${id}`;
  return `${verb === 'delete' ? 'delete' : 'set'}-profiles/${profile}/${noun}/${id}`;
}
