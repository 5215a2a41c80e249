import type { Permission } from '@repoless/contract/access.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { Org, OrgInput } from '@repoless/contract/org.ts';
import type { Site, SiteInput } from '@repoless/contract/site.ts';
import { permit, readOrgAndSite } from '../access/permit.ts';
import type { ChangeRequest, StoredDocument } from '../changes/change.ts';
import type { Context, Outcome } from '../domain/context.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import { changeOrg, findOrg } from '../orgs/org-document.ts';
import { changeProfile, findProfile, profileNotFound } from '../profiles/profile-document.ts';
import { findSite, siteNotFound } from '../sites/find-site.ts';
import { changeSite } from '../sites/site-document.ts';
import type { Owner } from './owner.ts';

/** What secrets and tokens need of their owner's document. */
export type OwnerDocument = Pick<Site, 'secrets' | 'tokens'>;

/** The document of an owner. Refuses if there is none. */
export async function findOwner(context: Context, { org, site, profile }: Owner): Promise<OwnerDocument> {
  if (site !== undefined) return (await findSite(context, { org, site })).config;
  return profile === undefined ? (await findOrg(context, org)).config : (await findProfile(context, { org, profile })).config;
}

/** The same check for a write, with its permission, in its transaction. Returns the site with its profile, if the owner is one. */
export async function permittedOwner(
  context: Context,
  reads: Reads,
  { org: name, site: siteName, profile }: Owner,
  permission: Permission,
): Promise<Site | undefined> {
  const { org, site } = await readOrgAndSite(reads, name, siteName);
  permit(context.caller, permission, { name, org, site: site?.aggregate });
  if (siteName !== undefined) {
    if (site === undefined) throw siteNotFound({ org: name, site: siteName });
    return site.aggregate;
  }
  if (profile !== undefined && (await reads.profile(name, profile)) === undefined) throw profileNotFound({ org: name, profile });
  return undefined;
}

interface OwnedChange {
  readonly permission: Permission;
  /** Its name in a site's audit trail. */
  readonly action: string;
  /** The part of the document whose entry is removed. Throws refusals. */
  readonly part: 'secrets' | 'tokens';
  readonly entry: string;
  /** What is answered of the entry. */
  read(document: OwnerDocument): unknown;
  check(document: OwnerDocument, reads: Reads): Promise<void>;
  /** What is stored together with a site's document: that of a profile or organization already includes its secrets. */
  alsoOfSite?(writes: Writes): Promise<void>;
}

/** Removes a secret or token from its owner's document, which creates a version. */
export function removeFromOwner(
  context: Context,
  { org, site, profile }: Owner,
  { query }: ChangeRequest,
  change: OwnedChange,
): Promise<Outcome> {
  const { permission, action, part, entry, read, alsoOfSite } = change;
  const pointer = jsonPointer([part, entry]);
  const next = async <Document extends OwnerDocument>(document: Document, reads: Reads) => {
    await change.check(document, reads);
    return withoutEntry(document, part, entry);
  };
  const common = { query, permission, action, view: { pointer, read } };
  if (site === undefined && profile === undefined) {
    const nextOrg = (current: StoredDocument<Org> | undefined, reads: Reads) => next<OrgInput>(current?.config ?? {}, reads);
    return changeOrg(context, { ...common, name: { org }, next: nextOrg });
  }
  const nextDocument = (current: StoredDocument | undefined, reads: Reads) => next<SiteInput>(current?.config ?? {}, reads);
  return site === undefined
    ? changeProfile(context, { ...common, name: { org, profile: profile ?? '' }, next: nextDocument })
    : changeSite(context, {
        ...common,
        name: { org, site },
        next: nextDocument,
        ...(alsoOfSite === undefined ? {} : { storeWith: alsoOfSite }),
      });
}

/** The part is removed with its last entry. */
function withoutEntry<Document extends OwnerDocument>(document: Document, part: 'secrets' | 'tokens', entry: string): Document {
  const { [entry]: _removed, ...others } = document[part] ?? {};
  const next = { ...document, [part]: others };
  if (Object.keys(others).length === 0) delete next[part];
  return next;
}
