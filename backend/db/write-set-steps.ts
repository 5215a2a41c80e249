import type { EventKind } from '@repoless/contract/event.ts';
import type { CauseChange } from '../events/rules/ports.ts';
import { profileAt } from '../owners/owner.ts';
import { DEFAULT_PROFILE } from '../sites/aggregate-site.ts';
import { may, must, put, removedProfiles } from './write-set.ts';
import type { EffectStep, Seen, SeenProfile, SeenSitesOfProfile, WriteSet } from './write-set.ts';
import { contentRootSteps } from './authoring-host-statements.ts';
import { rolloutSteps } from './rollout-row.ts';
import type { SubscriptionRow } from './tables.ts';
import { SUBSCRIPTION_CHANGES } from './write-statements.ts';
import type { WriteStatements } from './write-statements.ts';
import { integer, optionalInteger, optionalText, storedUsage, text } from './row.ts';
import type { Row } from './row.ts';
import { secretStep } from './secret-steps.ts';
import { sameHolders } from './seen-holders.ts';
import { storable } from './statement.ts';
import type { Statement } from './statement.ts';

/** The statements that store the effects of one write, in order. */
export function effectSteps(statements: WriteStatements, writeSet: WriteSet): EffectStep[] {
  return [
    ...writeSet.orgs.flatMap(({ row, members, seen }) => [
      put(seen, row, { insert: statements.insertOrg, update: statements.updateOrg, upsert: statements.upsertOrg }),
      may(statements.forgetOrgMembers, { org: row.org, members }),
      may(statements.addOrgMembers, { org: row.org, members }),
    ]),
    ...beforeSites(statements, writeSet),
    ...turnSteps(statements, writeSet),
    ...sameHolders(statements, writeSet.seenHolders.values(), writeSet.seenUsers.values()),
    ...writeSet.sites.flatMap((change) => siteSteps(statements, change)),
    ...afterSites(statements, writeSet),
    ...writeSet.secrets.flatMap((change) =>
      change.kind === 'put' ? [...siteIsThere(statements, change), secretStep(statements, change)] : [secretStep(statements, change)],
    ),
    ...writeSet.resealed.map(({ of, ...row }) => may(of === 'secret' ? statements.resealSecret : statements.resealSubscription, row)),
    ...writeSet.subscriptions.flatMap((change) => subscriptionSteps(statements, change)),
    ...writeSet.versions.flatMap(({ row, forget }) => {
      const { org, kind, item } = row;
      const added = must(statements.addVersion, row);
      return forget > 0 ? [added, may(statements.forgetVersions, { org, kind, item, forget })] : [added];
    }),
    ...writeSet.versionChanges.flatMap((change) => versionSteps(statements, change)),
    ...writeSet.siteChecks.map(({ row, seen }) =>
      seen === 0 ? must(statements.insertSiteCheck, row) : must(statements.updateSiteCheck, { ...row, seen }),
    ),
    ...writeSet.rollouts.flatMap((change) => rolloutSteps(statements, change)),
    ...contentRootSteps(statements, writeSet.contentRoots),
    ...writeSet.causes.flatMap((change) => causeSteps(statements, change)),
    ...writeSet.bounds.map(({ org, counted, limit }): EffectStep => {
      const holds = ([row]: readonly Row[]) => row !== undefined && storedUsage(row)[counted] <= limit;
      return { kind: 'check', statement: statements.usage, args: { org }, holds };
    }),
    ...writeSet.audits.map((row): EffectStep => ({ kind: 'audit', row })),
  ];
}

function causeSteps(statements: WriteStatements, { isOpen, ...cause }: CauseChange): EffectStep[] {
  const { kind, org, site = null, repository = null, ref = null, detail = null } = cause;
  const change = may(isOpen ? statements.beginCause : statements.endCause, { ...cause, site, repository, ref, detail });
  return isOpen && FOUND_ONCE.has(kind) ? [may(statements.giveWay, { kind, cause: cause.cause, org }), change] : [change];
}

/** What is found when it begins, and by nobody afterwards. The others are looked for again and again, and told when there is room. */
const FOUND_ONCE: ReadonlySet<EventKind> = new Set<EventKind>(['check-failed', 'drift', 'rollout-stopped']);

/** A default profile that is not there yet: there is nothing to hold. */
export function isNoDefault({ profile, version }: SeenProfile): boolean {
  return profile === DEFAULT_PROFILE && version === 0;
}

/**
 * A profile is held before anything that stands on it is looked at or changed: by many sites at once, or by one change of it.
 * What the next statement reads is what was stored before that.
 */
function beforeSites(statements: WriteStatements, writeSet: WriteSet): EffectStep[] {
  const written = new Map(writeSet.profiles.map((change) => [keyOf(named(change)), named(change)]));
  const owners = ownersOf(writeSet);
  const standsOn = [...writeSet.seenProfiles].filter(
    ([key, seen]) => (writeSet.sites.length > 0 ? !isNoDefault(seen) : owners.has(key)) && !written.has(key),
  );
  const reached = [...writeSet.seenSitesOfProfiles].filter(([key]) => written.has(key));
  return [
    ...standsOn.map(([, seen]) => sameProfile(statements.shareProfile, seen)),
    ...[...written].map(([key, name]) => sameProfile(statements.holdProfile, writeSet.seenProfiles.get(key) ?? name)),
    ...orgsOf(writeSet).map((org) => sameDefault(statements, org, writeSet.seenProfiles.get(keyOf({ org, profile: DEFAULT_PROFILE })))),
    ...reached.map(([, seen]) => sameSites(statements, seen)),
    ...writeSet.profiles.map((change) => {
      if (change.kind === 'put') {
        const { insertProfile, updateProfile, upsertProfile } = statements;
        return put(change.seen, change.row, { insert: insertProfile, update: updateProfile, upsert: upsertProfile });
      }
      const { org, profile, seen } = change;
      return seen === undefined
        ? may(statements.deleteProfile, { org, profile })
        : must(statements.deleteSeenProfile, { org, profile, seen });
    }),
    ...removedProfiles(writeSet).flatMap((place) => [
      may(statements.deleteSecretsOfSite, place),
      may(statements.deleteApiKeysOfSite, place),
    ]),
  ];
}

/** Profiles that come to have secrets or API keys, none of which must outlive them. */
function ownersOf({ secrets, apiKeys }: WriteSet): ReadonlySet<string> {
  const places = [...secrets, ...apiKeys].flatMap((change) => (change.kind === 'put' ? [change.row] : []));
  return new Set(
    places.flatMap(({ org, site }) => {
      const profile = profileAt(site);
      return profile === undefined ? [] : [keyOf({ org, profile })];
    }),
  );
}

/** What sites become by a profile's change, and the API keys. */
function afterSites(statements: WriteStatements, { aggregates, apiKeys }: WriteSet): EffectStep[] {
  const steps: EffectStep[] = [];
  for (let first = 0; first < aggregates.length; first += AT_ONCE) {
    const some = aggregates.slice(first, first + AT_ONCE);
    const rows = some.map(({ row, seen }) => ({ ...storableRow(row), seen: seen ?? null }));
    steps.push(must(statements.putAggregates, { rows: JSON.stringify(rows) }, some.length));
    const names = JSON.stringify(some.map(({ row }) => row.site));
    for (const org of new Set(some.map(({ row }) => row.org))) steps.push(may(statements.ageSiteChecks, { org, sites: names }));
  }
  for (const change of apiKeys) {
    if (change.kind === 'delete') steps.push(must(statements.deleteApiKey, { id: change.id }));
    else {
      steps.push(...siteIsThere(statements, change), must(statements.putApiKey, change.row));
    }
  }
  return steps;
}

/** A key or a secret must not outlive the site that it was decided for, whose name may be another's tomorrow. */
function siteIsThere(
  { siteIsThere: statement }: WriteStatements,
  { row: { org, site }, seen }: { readonly row: { readonly org: string; readonly site: string | null }; readonly seen: Seen },
): EffectStep[] {
  if (seen === undefined || seen === 0) return [];
  return [{ kind: 'check', statement, args: { org, site }, holds: (rows) => rows.length === 1 }];
}

function siteSteps(statements: WriteStatements, change: WriteSet['sites'][number]): EffectStep[] {
  if (change.kind === 'put') {
    const { insertSite, updateSite, updateSiteInPlace, upsertSite } = statements;
    return [put(change.seen, change.row, { insert: insertSite, update: updateSite, upsert: upsertSite, inPlace: updateSiteInPlace })];
  }
  const { org, site, seen, time } = change;
  return [
    seen === undefined ? may(statements.deleteSite, { org, site }) : must(statements.deleteSeenSite, { org, site, seen }),
    may(statements.deleteSecretsOfSite, { org, site }),
    may(statements.deleteApiKeysOfSite, { org, site }),
    may(statements.endCausesOfSite, { org, site, time }),
  ];
}

function subscriptionSteps(statements: WriteStatements, change: WriteSet['subscriptions'][number]): EffectStep[] {
  switch (change.kind) {
    case 'add':
      return [turnOf(statements, change.row.org), must(statements.addSubscription, change.row)];
    case 'replace':
      return [must(statements.replaceSubscription, { ...change.row, ...beforeArgs(change.before) })];
    case 'delete': {
      const { id, before } = change;
      const removal =
        before === undefined
          ? must(statements.deleteSubscription, { id })
          : must(statements.deleteSeenSubscription, { id, ...beforeArgs(before) });
      return [removal, may(statements.deleteDeliveriesOf, { id })];
    }
    default:
      return change satisfies never;
  }
}

function beforeArgs(before: SubscriptionRow): Record<string, string | null> {
  return Object.fromEntries(SUBSCRIPTION_CHANGES.map((name) => [`before_${name}`, before[name]]));
}

/** Its name is all that changes of a version: it must still be the one that was seen. */
function versionSteps(statements: WriteStatements, { was, ...change }: WriteSet['versionChanges'][number]): EffectStep[] {
  const of = { ...change.key, version: change.version };
  const holds = ([row]: readonly Row[]) => row !== undefined && (optionalText(row, 'name') ?? null) === was;
  const same: EffectStep = { kind: 'check', statement: statements.holdVersionName, args: { ...of }, holds };
  const changed = change.kind === 'name' ? must(statements.nameVersion, { ...of, name: change.name }) : must(statements.deleteVersion, of);
  return was === undefined ? [changed] : [same, changed];
}

function sameProfile(statement: Statement, { org, profile, version }: Partial<SeenProfile> & ProfileName): EffectStep {
  const holds = ([row]: readonly Row[]) => version === undefined || version === (row === undefined ? 0 : integer(row, 'version'));
  return { kind: 'check', statement, args: { org, profile }, holds };
}

/** Where there is no default profile, there still is none. */
function sameDefault({ defaultProfile }: WriteStatements, org: string, seen: SeenProfile | undefined): EffectStep {
  const holds = ([row]: readonly Row[]) =>
    seen === undefined || !isNoDefault(seen) || row === undefined || optionalInteger(row, 'version') === undefined;
  return { kind: 'check', statement: defaultProfile, args: { org }, holds };
}

function orgsOf({ sites, profiles }: WriteSet): string[] {
  return [...new Set([...sites, ...profiles].map((change) => (change.kind === 'put' ? change.row.org : change.org)))];
}

/** Whoever writes sites or profiles has taken it already. */
function turnSteps(statements: WriteStatements, writeSet: WriteSet): EffectStep[] {
  const taken = orgsOf(writeSet);
  const wanted = [...writeSet.bounds, ...writeSet.seenHolders.values(), ...writeSet.seenUsers.values()].map(({ org }) => org);
  return [...new Set(wanted)].filter((org) => !taken.includes(org)).map((org) => turnOf(statements, org));
}

/** Whoever counts what an organization has waits for those who add to it at the same moment: with PostgreSQL for the end of its audit trail. */
function turnOf({ defaultProfile }: WriteStatements, org: string): EffectStep {
  return { kind: 'check', statement: defaultProfile, args: { org }, holds: () => true };
}

function sameSites({ versionsOfSites }: WriteStatements, { org, profile, sites }: SeenSitesOfProfile): EffectStep {
  const same = (row: Row) => sites.get(text(row, 'site')) === integer(row, 'version');
  return {
    kind: 'check',
    statement: versionsOfSites,
    args: { org, profile },
    holds: (rows) => rows.length === sites.size && rows.every(same),
  };
}

function storableRow(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, typeof value === 'string' ? storable(value) : value]));
}

interface ProfileName {
  readonly org: string;
  readonly profile: string;
}

function named(change: WriteSet['profiles'][number]): ProfileName {
  const { org, profile } = change.kind === 'put' ? change.row : change;
  return { org, profile };
}

function keyOf({ org, profile }: ProfileName): string {
  return `${org}/${profile}`;
}

const AT_ONCE = 500;
