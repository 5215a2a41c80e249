import { GRANTS, type Permission } from '@repoless/contract/access.ts';
import { permit, unclaimed } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';
import type { Caller } from '../domain/caller.ts';
import type { Context, Permitted } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Reads, Subject } from '../domain/ports.ts';
import { siteNotFound } from '../sites/find-site.ts';

/** As a sentence begins with it: `Site "wknd/wknd-de"`. */
export function describeSubject(subject: Subject): string {
  switch (subject.kind) {
    case 'org':
      return `Organization "${subject.org}"`;
    case 'profile':
      return `Profile "${subject.org}/${subject.profile}"`;
    case 'site':
      return `Site "${subject.org}/${subject.site}"`;
  }
}

/** The number of the version that is current; undefined where nothing is stored. */
export async function currentVersion(reads: Reads, subject: Subject): Promise<number | undefined> {
  switch (subject.kind) {
    case 'org':
      return (await reads.org(subject.org))?.version;
    case 'profile':
      return (await reads.profile(subject.org, subject.profile))?.version;
    case 'site':
      return (await reads.site(subject.org, subject.site))?.version;
  }
}

/** The refusal of what never was. */
export function subjectNotFound(subject: Subject): Refusal {
  switch (subject.kind) {
    case 'org':
      return unclaimed(subject.org);
    case 'profile':
      return new Refusal('PROFILE_NOT_FOUND', `The profile "${subject.org}/${subject.profile}" does not exist.`);
    case 'site':
      return siteNotFound(subject);
  }
}

export function versionNotFound(subject: Subject, version: number): Refusal {
  return new Refusal('VERSION_NOT_FOUND', `${describeSubject(subject)} has no version ${version}.`);
}

/** Refuses callers who may not change the history, as it stands in the transaction. Out: from when on they may; see `visibleHistoryStart`. */
export async function permitOn(context: Context, reads: Reads, permission: Permission, subject: Subject): Promise<Date | undefined> {
  const { org: name } = subject;
  const { org, site } =
    subject.kind === 'site' ? await reads.orgAndSite(name, subject.site) : { org: await reads.org(name), site: undefined };
  permit(context.caller, permission, { name, org, site: site?.aggregate });
  return visibleHistoryStart(context.caller, 'people:read', { org, site });
}

/**
 * From when on a caller may see the history of a site, by a permission; undefined: all of it. The name of a site that was removed may
 * be given again. Who has a role by the new site alone sees nothing of the former one, its people and credentials: only the
 * organization's own people do. A site that was brought back has the time of its first making.
 */
export function visibleHistoryStart(caller: Caller, permission: keyof typeof GRANTS, { org, site }: Permitted): Date | undefined {
  if (site === undefined) return undefined;
  const roles = org === undefined ? undefined : rolesOf(caller, org.config);
  return GRANTS[permission].some((role) => roles?.has(role)) ? undefined : new Date(site.config.created);
}
