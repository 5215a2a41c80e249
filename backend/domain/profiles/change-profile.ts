import type { Org } from '#contract/org.ts';
import type { Profile } from '#contract/site.ts';
import { etagOf, etagOfCanonical } from '../canonical.ts';
import type { Caller } from '../caller.ts';
import type { Change, Decision } from '../changes/change.ts';
import { withKnownSources, changedOrigin } from '../code/code-source-cache.ts';
import { addVersion, checkWanted, createdAt, isUnchanged, otherName, readWithin, runChange, within } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { AggregateWrite, Reads, StoredProfile, Writes } from '../ports.ts';
import { requireRepositoryCapacity, requireCapacity, requireSmall } from '../quotas/quotas.ts';
import { checkAccess } from '../roles/check-groups.ts';
import { isSamePeople } from '../roles/prevent-lockout.ts';
import { notAuthorized, permit, requireUser } from '../roles/permit.ts';
import { rolesOf } from '../roles/roles-of.ts';
import type { Outcome } from '../operation.ts';
import { createTurns } from '../turn.ts';
import { pathWarnings } from '../sites/path-warnings.ts';
import type { StoredSecret } from '../secrets/stored-secret.ts';
import { removeUnnamedSecrets, storeSecrets, takenSecrets } from '../secrets/take-secrets.ts';
import { profilePlace } from '../owners/owner.ts';
import { affectedSites } from './affected-sites.ts';
import { completeProfile } from './complete-profile.ts';
import { profileNotFound } from './find-profile.ts';
import type { ProfileName } from './find-profile.ts';

/** A change of a profile, or of one part of it. */
export interface ProfileChange extends Change {
  readonly name: ProfileName;
  /** Of a profile that is made in the place of another: that one, whose people it takes over. */
  readonly like?: Profile | undefined;
}

/** What a change comes to, before anything is stored. */
export interface ProfileDecision extends Decision {
  readonly present: StoredProfile | undefined;
  /** What it makes of the sites that extend the profile. */
  readonly sites: readonly AggregateWrite[];
  /** What of its secrets is stored apart. */
  readonly secrets?: readonly StoredSecret[];
}

/**
 * Changes a profile together with what holds for every site that extends it: one transaction, which is refused whole where a
 * rule breaks on one of them.
 */
export async function changeProfile(context: Context, change: ProfileChange): Promise<Outcome> {
  const { org } = change.name;
  const { outcome, stored } = await withKnownSources(context, { org, ...change }, (requireSource) =>
    runChange(context, change, {
      subject: { kind: 'profile', org, profile: change.name.profile },
      decide: async (reads) => {
        const decision = await decide(context, change, reads);
        requireSource(decision.present?.config.code, decision.config?.code);
        return decision;
      },
      record: (decision, writes) => recordProfile(context, change, decision, writes),
    }),
  );
  // The code of most is that of the profile, hence the same: one sync of it is enough.
  const sources = new Map((stored?.sites ?? []).map(({ aggregate, repository }) => [repository, aggregate.code]));
  for (const code of sources.values()) await context.firstSyncs?.codeStored(org, code);
  return outcome;
}

async function decide(context: Context, change: ProfileChange, reads: Reads): Promise<ProfileDecision> {
  const { caller } = context;
  const { name } = change;
  const [storedOrg, present, usage] = await Promise.all([
    reads.org(name.org),
    reads.profile(name.org, name.profile),
    reads.usage(name.org),
  ]);
  const org = permit(caller, change.permission, { name: name.org, org: storedOrg });
  if (present === undefined && change.creates !== true) throw profileNotFound(name);
  checkWanted(change, present);
  const input = await change.next(present, reads);
  if (input === null) {
    await refuseUsed(reads, name);
    const { sites } = await affectedSites(reads, name, { profile: undefined, groups: org?.config.groups });
    return { present, config: null, changed: true, sites };
  }
  const now = context.now().toISOString();
  const times = { created: createdAt(change, present, input, now), now };
  const config = within(change, () => completeProfile(name.profile, input, times, context.settings));
  if (org !== undefined) within(change, () => leavePeople(caller, org.config, present?.config ?? change.like, config));
  const warnings = [...otherName(input.name, name.profile), ...pathWarnings(change.view, config)];
  const owner = { org: name.org, site: profilePlace(name.profile) };
  const secrets = await takenSecrets(context, reads, owner, { sent: input.secrets, restores: change.restores });
  if (org !== undefined && secrets.length > 0) within(change, () => requireAdmin(caller, org.config));
  if (present !== undefined && secrets.length === 0 && isUnchanged(present.config, config)) {
    return { present, config: present.config, etag: present.etag, changed: false, sites: [], warnings };
  }
  const bytes = requireSmall(config, `The profile "${name.org}/${name.profile}"`);
  const { sites, bytes: more } = await readWithin(change, () =>
    affectedSites(reads, name, { profile: config, groups: org?.config.groups }),
  );
  const ofProfile = present === undefined ? 2 * bytes : bytes;
  requireCapacity(context.settings.quotas, name.org, usage, { versions: 1, bytes: ofProfile + Math.max(0, more) });
  // As for one site that is moved to another repository: what it leaves counts until it has left.
  for (const repository of new Set(sites.flatMap((site) => site.repository ?? [])))
    await requireRepositoryCapacity(context.settings.quotas, name.org, reads, repository);
  return { present, config, etag: etagOfCanonical(config), changed: true, sites, secrets, warnings };
}

/** Administrators of a profile administer every site that extends it, and its readers read their hosts: the organization's own admins alone name them. */
function leavePeople(caller: Caller, org: Org, before: Profile | undefined, after: Profile): void {
  if (isSamePeople(before, after)) return;
  if (rolesOf(caller, org).has('admin')) return checkAccess(after, org);
  throw notAuthorized(caller, org, {
    why: 'Only an admin of the organization may use a profile to change who administers its sites or reads their hosts (access and groups).',
  });
}

/** A secret of a profile may open the hosts of every site that extends it, to whoever knows its value. */
function requireAdmin(caller: Caller, org: Org): void {
  if (rolesOf(caller, org).has('admin')) return;
  throw notAuthorized(caller, org, { why: 'Only an admin of the organization may set the secrets of a profile.' });
}

/** A site that extends a profile by default goes on without it; one that names it does not. */
async function refuseUsed(reads: Reads, { org, profile }: ProfileName): Promise<void> {
  const naming = (await reads.sitesOfProfile(org, profile)).filter(({ config }) => config.extends !== undefined);
  const sites = naming.map(({ site }) => site);
  if (sites.length === 0) return;
  const shown = sites.slice(0, SHOWN_SITES).join(', ');
  const more = sites.length > SHOWN_SITES ? ` and ${sites.length - SHOWN_SITES} more` : '';
  throw new Refusal('PROFILE_IN_USE', `These sites extend the profile "${profile}": ${shown}${more}. Make them extend another one first.`, {
    data: { sites: shown, count: String(sites.length) },
  });
}

const SHOWN_SITES = 10;

/** Stores the change of a profile with its version and its audit row, and what it makes of the sites that extend it. */
async function recordProfile(context: Context, change: ProfileChange, decision: ProfileDecision, writes: Writes): Promise<void> {
  const { org, profile } = change.name;
  const time = context.now();
  const from = decision.present?.version;
  const subject = { kind: 'profile', org, profile } as const;
  const version = (from ?? (await writes.latestVersion(subject))) + 1;
  const { config, etag } = decision;
  if (config === null) await writes.deleteProfile(org, profile);
  if (config !== null) await writes.putProfile({ org, profile, config, etag: etag ?? etagOf(config), version });
  const turn = createTurns();
  for (const site of decision.sites) {
    await writes.putAggregate(site);
    // Each is printed anew.
    await turn();
  }
  await addVersion(context, writes, { subject, version, data: config, time, name: change.query.versionName, restores: change.restores });
  const entry = {
    org,
    time,
    user: requireUser(context.caller).email,
    action: auditAction(change.action, profile),
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  };
  await writes.addAudit(entry);
  await storeSecrets(context, writes, decision.secrets ?? []);
  const named = { before: decision.present?.config.secrets, after: config?.secrets, action: change.action };
  if (config !== null) await removeUnnamedSecrets(context, writes, { org, site: profilePlace(profile) }, named);
  await change.also?.(writes, config);
  const source = changedOrigin(org, decision.present?.config.code, config?.code);
  if (change.query.unchecked === true && source !== undefined)
    await writes.addAudit({ ...entry, action: `unchecked-source/${source.repository}` });
}

/** `set-headers` of the profile `base` is `set-profiles/base/headers`, by its address. */
function auditAction(action: string, profile: string): string {
  const [operation = '', ...rest] = action.split('-');
  return [`${operation}-profiles/${profile}`, ...(rest.length === 0 ? [] : [rest.join('-')])].join('/');
}
