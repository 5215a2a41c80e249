import type { Change } from '../history/change.ts';
import { describeChange } from '../history/describe-change.ts';
import type { StoredDocument } from '../history/history-port.ts';
import { isObject } from '../history/json-place.ts';
import { subjectPath } from '../history/subject.ts';
import { overlaps } from '../configuration/merge.ts';
import { mergeOrganizationDraft, organizationDraft, organizationInput, organizationOverlaps } from './organization-draft.ts';
import type { OrganizationDraft } from './organization-draft.ts';
import { mergeSiteDraft, siteAccess, siteDraft } from './site-draft.ts';
import type { SiteDraft } from './site-draft.ts';

/** What is stored, as it was read; without an etag there is nothing yet. */
export interface Held {
  readonly value: unknown;
  readonly etag: string | undefined;
}

/** How something is read, edited and stored by one call: the people of a site or of an organization, or the parts of a configuration. */
export interface AccessKind<Draft> {
  /** Path at the service. */
  readonly address: string;
  /** A part of a site may be missing while the site is there. */
  readonly isPart: boolean;
  draftOf(value: unknown): Draft;
  /** What is sent. In: what is stored, and the draft. */
  valueOf(value: unknown, draft: Draft): StoredDocument;
  merge(base: Draft, mine: Draft, theirs: Draft): Draft;
  /** Whether a merge replaces something that they changed: both changed the same place, each in another way. */
  overlaps(base: Draft, mine: Draft, theirs: Draft): boolean;
  /** What differs between two states, for its messages. */
  changes(before: unknown, after: unknown): readonly Change[];
  /** Which entry a field error of the service is about (the people's: see `problemKey`); undefined where it is about none. */
  entryAt(draft: Draft, pointer: string): string | undefined;
}

/** The access of a site (call 4). */
export function siteAccessKind(organization: string, site: string): AccessKind<SiteDraft> {
  return {
    address: `${subjectPath({ kind: 'site', organization, name: site })}/access.json`,
    isPart: true,
    draftOf: siteDraft,
    valueOf: siteAccess,
    merge: mergeSiteDraft,
    // Lists are merged entry by entry.
    overlaps: (base, mine, theirs) => overlaps(base.signIn, mine.signIn, theirs.signIn),
    changes: (before, after) => describeChange({ access: before ?? {} }, { access: after ?? {} }),
    entryAt(draft, pointer) {
      const [, role, index] = /\/role\/([a-z_]+)(?:\/(\d+))?$/.exec(pointer) ?? [];
      const list = Object.entries(draft.roles).find(([name]) => name === role)?.[1];
      const entry = index === undefined ? undefined : list?.[Number(index)];
      return role === undefined || entry === undefined ? undefined : problemKey(role, entry);
    },
  };
}

/** The users and groups of an organization. */
export function organizationKind(organization: string): AccessKind<OrganizationDraft> {
  return {
    address: `${subjectPath({ kind: 'organization', organization })}.json`,
    isPart: false,
    draftOf: organizationDraft,
    valueOf: (value, draft) => ({ ...organizationInput(value, draft) }),
    merge: mergeOrganizationDraft,
    overlaps: organizationOverlaps,
    changes: (before, after) => describeChange(documentOf(before), documentOf(after)),
    entryAt(draft, pointer) {
      const [, index] = /^\/users\/(\d+)/.exec(pointer) ?? [];
      if (index !== undefined) return problemKey('users', draft.users[Number(index)]?.email ?? '');
      const [, group, member] = /^\/groups\/([a-z0-9-]+)(?:\/members\/(\d+))?/.exec(pointer) ?? [];
      if (group === undefined) return undefined;
      const email = member === undefined ? undefined : draft.groups[group]?.members[Number(member)]?.email;
      return email === undefined ? problemKey('groups', group) : problemKey(`groups/${group}`, email);
    },
  };
}

function documentOf(value: unknown): StoredDocument {
  return isObject(value) ? value : {};
}

/** Names an entry of a list, in whatever place it stands. */
export function problemKey(list: string, entry: string): string {
  return `${list} ${entry.toLowerCase()}`;
}
