import { storedOwner } from '../owners/owner.ts';
import type { StoredOwner } from '../owners/owner.ts';
import type { Bound, StoredSite } from '../domain/ports.ts';
import type { RolloutChange } from '../rollouts/rules/ports.ts';
import type { AuthoringHost, HeldRoot } from '../sites/content-roots/ports.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import type { AuditRow, OrgRow, SubjectKey } from './write-rows.ts';
import type { Change } from './news.ts';
import type { ApiKeyRow, DerivedRow, ProfileRow, SecretRow, SiteCheckRow, SiteRow, SubscriptionRow, VersionRow } from './tables.ts';
import type { Row } from './row.ts';
import type { SeenHolder, SeenUsers } from './seen-holders.ts';
import type { Args, Statement } from './statement.ts';

/** The version that a write saw and builds upon: 0 where there was nothing; undefined where it did not look. */
export type Seen = number | undefined;

/** What a write saw of a value that has no version, e.g. the time of its last writing: null where there was none; undefined where it did not look. */
export type SeenValue = string | null | undefined;

/** What one write changes. It is stored whole, and only if what it saw is still so. */
export interface WriteSet {
  readonly orgs: { readonly row: OrgRow; /** A JSON text: see `membersNamed`. */ readonly members: string; readonly seen: Seen }[];
  readonly profiles: (
    | { readonly kind: 'put'; readonly row: ProfileRow; readonly seen: Seen }
    | { readonly kind: 'delete'; readonly org: string; readonly profile: string; readonly seen: Seen }
  )[];
  readonly sites: (
    | {
        readonly kind: 'put';
        readonly row: SiteRow;
        readonly seen: Seen;
        /** What the row is made of, where that is the configuration alone. */
        readonly document?: StoredSite;
      }
    | {
        readonly kind: 'delete';
        readonly org: string;
        readonly site: string;
        readonly seen: Seen;
        /** An ISO time. */ readonly time: string;
      }
  )[];
  readonly aggregates: { readonly row: DerivedRow; readonly seen: Seen }[];
  readonly secrets: (
    | { readonly kind: 'put'; readonly row: SecretRow; /** The version of its site. */ readonly seen: Seen; readonly was: SeenValue }
    | { readonly kind: 'delete'; readonly org: string; readonly site: string; readonly name: string; readonly was: SeenValue }
  )[];
  /** `before`: as what it must still be stored. */
  readonly resealed: (
    | (SecretRow & { readonly of: 'secret'; readonly before: string })
    | { readonly of: 'subscription'; readonly id: string; readonly sealed: string; readonly before: string }
  )[];
  readonly apiKeys: (
    | { readonly kind: 'put'; readonly row: ApiKeyRow; /** The version of its site. */ readonly seen: Seen }
    | { readonly kind: 'delete'; readonly id: string }
  )[];
  readonly causes: CauseChange[];
  readonly subscriptions: (
    | { readonly kind: 'add'; readonly row: SubscriptionRow }
    | { readonly kind: 'replace'; readonly row: SubscriptionRow; /** As it must still be. */ readonly before: SubscriptionRow }
    | { readonly kind: 'delete'; readonly id: string; readonly before: SubscriptionRow | undefined }
  )[];
  readonly versions: { readonly row: VersionRow; /** See VersionWrite; 0 where none goes. */ readonly forget: number }[];
  readonly versionChanges: (
    | { readonly kind: 'name'; readonly key: SubjectKey; readonly version: number; readonly name: string | null; readonly was: SeenValue }
    | { readonly kind: 'delete'; readonly key: SubjectKey; readonly version: number; readonly was: SeenValue }
  )[];
  readonly siteChecks: { readonly row: SiteCheckRow; /** The revision. */ readonly seen: number }[];
  readonly rollouts: RolloutChange[];
  readonly contentRoots: ContentRootChange[];
  readonly audits: AuditRow[];
  readonly bounds: Bound[];
  /** The profiles that were read: a site that is written stands on them. */
  readonly seenProfiles: Map<string, SeenProfile>;
  /** The sites of a profile as they were read: a profile that is written reaches them all. */
  readonly seenSitesOfProfiles: Map<string, SeenSitesOfProfile>;
  /** Who held and used the secrets of repositories: see `sameHolders`. */
  readonly seenHolders: Map<string, SeenHolder>;
  readonly seenUsers: Map<string, SeenUsers>;
}

export type ContentRootChange =
  | {
      readonly kind: 'assign-host';
      readonly assigned: AuthoringHost;
      /** By all others on the host, by now. */ readonly held: readonly HeldRoot[];
    }
  | { readonly kind: 'release-host'; readonly host: string }
  | { readonly kind: 'release-root'; readonly root: HeldRoot };

export interface SeenProfile {
  readonly org: string;
  readonly profile: string;
  readonly version: number;
}

export interface SeenSitesOfProfile {
  readonly org: string;
  readonly profile: string;
  readonly sites: ReadonlyMap<string, number>;
}

export function emptyWriteSet(): WriteSet {
  return {
    orgs: [],
    profiles: [],
    sites: [],
    aggregates: [],
    secrets: [],
    resealed: [],
    apiKeys: [],
    causes: [],
    subscriptions: [],
    versions: [],
    versionChanges: [],
    siteChecks: [],
    rollouts: [],
    contentRoots: [],
    audits: [],
    bounds: [],
    seenProfiles: new Map(),
    seenSitesOfProfiles: new Map(),
    seenHolders: new Map(),
    seenUsers: new Map(),
  };
}

export function isEmpty(writeSet: WriteSet): boolean {
  return writeSet.sites.length + writeSet.versions.length + writeSet.audits.length === 0 && isUsual(writeSet);
}

/** Whether a write changes nothing but sites, and what is noted of that. */
export function isUsual(writeSet: WriteSet): boolean {
  const { orgs, profiles, aggregates, secrets, resealed, apiKeys, subscriptions } = writeSet;
  const { versionChanges, siteChecks, causes, rollouts, contentRoots } = writeSet;
  const documents = orgs.length + profiles.length + aggregates.length + versionChanges.length + siteChecks.length;
  return (
    documents +
      causes.length +
      rollouts.length +
      contentRoots.length +
      secrets.length +
      resealed.length +
      apiKeys.length +
      subscriptions.length ===
    0
  );
}

/** What nodes may have ready of what was changed. A secret of a site may open its hosts, so its change is one of the site. */
export function changesOf(writeSet: WriteSet): Change[] {
  const { sites, aggregates, secrets, apiKeys } = writeSet;
  const put = [...sites, ...secrets].map((change) => (change.kind === 'put' ? change.row : change));
  const ofSites = [...put, ...aggregates.map(({ row }) => row), ...removedProfiles(writeSet)];
  const keys = apiKeys.map((change) => (change.kind === 'put' ? change.row : change));
  return [
    ...ofSites.map(({ org, site }): Change => ({ kind: 'site', org, site })),
    ...keys.map(({ id }): Change => ({ kind: 'token', id })),
  ];
}

/** Where the secrets and API keys of profiles are that go. */
export function removedProfiles({ profiles }: WriteSet): StoredOwner[] {
  return profiles.flatMap((change) => (change.kind === 'put' ? [] : [storedOwner(change)]));
}

/**
 * A change that must reach so many rows, or something read that must be as the write saw it: else somebody else was faster. Or
 * an entry of the audit trail, which each engine chains to the one before.
 */
export type EffectStep =
  | {
      readonly kind: 'change';
      readonly statement: Statement;
      readonly args: Args;
      readonly atLeast: number;
      /** Does the same to a row whose keys stay as they are, and reaches none else: an engine may try it first. */
      readonly inPlace?: Statement;
    }
  | { readonly kind: 'check'; readonly statement: Statement; readonly args: Args; holds(rows: readonly Row[]): boolean }
  | { readonly kind: 'audit'; readonly row: AuditRow };

export function must(statement: Statement, args: object, atLeast = 1): EffectStep & { kind: 'change' } {
  return { kind: 'change', statement, args: valuesOf(args), atLeast };
}

export function may(statement: Statement, args: object): EffectStep {
  return { kind: 'change', statement, args: valuesOf(args), atLeast: 0 };
}

interface PutStatements extends Record<'insert' | 'update' | 'upsert', Statement> {
  readonly inPlace?: Statement;
}

export function put(seen: Seen, row: object, { insert, update, upsert, inPlace }: PutStatements): EffectStep {
  if (seen === undefined) return must(upsert, row);
  if (seen === 0) return must(insert, row);
  const change = must(update, { ...row, seen });
  return inPlace === undefined ? change : { ...change, inPlace };
}

/** The cast is safe: rows hold nothing but values, and a statement takes those that it names. */
function valuesOf(row: object): Args {
  return row as Args;
}
