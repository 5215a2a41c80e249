import type { Org } from '#contract/org.ts';
import type { Profile } from '#contract/site.ts';
import { etagOf, sameValue } from '../canonical.ts';
import type { Caller } from '../caller.ts';
import type { Change, Decision } from '../changes/change.ts';
import { checkWanted, createdAt, isUnchanged, runChange, within } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { AggregateWrite, Reads, StoredProfile } from '../ports.ts';
import { checkAccess } from '../roles/check-access.ts';
import { notAuthorized, permit } from '../roles/permit.ts';
import { rolesOf } from '../roles/roles-of.ts';
import type { Outcome } from '../verb.ts';
import { affectedSites } from './affected-sites.ts';
import { completeProfile } from './complete-profile.ts';
import { profileNotFound } from './find-profile.ts';
import type { ProfileName } from './find-profile.ts';
import { recordProfile } from './record-profile.ts';

/** A change of a profile, or of one part of it. */
export interface ProfileChange extends Change {
  readonly name: ProfileName;
}

/** What a change comes to, before anything is stored. */
export interface ProfileDecision extends Decision {
  readonly present: StoredProfile | undefined;
  /** What it makes of the sites that extend the profile. */
  readonly sites: readonly AggregateWrite[];
}

/**
 * Changes a profile together with what holds for every site that extends it: one transaction, which is refused whole where a
 * rule breaks on one of them.
 */
export async function changeProfile(context: Context, change: ProfileChange): Promise<Outcome> {
  const { outcome, stored } = await runChange(context, change, {
    decide: (reads) => decide(context, change, reads),
    record: (decision, writes) => recordProfile(context, change, decision, writes),
  });
  // The code of most is that of the profile, hence the same: one sync of it is enough.
  const sources = new Map((stored?.sites ?? []).map(({ aggregate, repository }) => [repository, aggregate.code]));
  for (const code of sources.values()) context.codeStored?.(change.name.org, code);
  return outcome;
}

async function decide(context: Context, change: ProfileChange, reads: Reads): Promise<ProfileDecision> {
  const { caller } = context;
  const { name } = change;
  const [storedOrg, present] = await Promise.all([reads.org(name.org), reads.profile(name.org, name.profile)]);
  const org = permit(caller, change.permission, { name: name.org, org: storedOrg });
  if (present === undefined && change.creates !== true) throw profileNotFound(name);
  checkWanted(change, present);
  const input = await change.next(present, reads);
  if (input === null) {
    await refuseUsed(reads, name);
    return { present, config: null, changed: true, sites: [] };
  }
  const now = context.now().toISOString();
  const times = { created: createdAt(change, present, input, now), now };
  const config = within(change, () => completeProfile(name.profile, input, times, context.settings));
  if (org !== undefined) within(change, () => leavePeople(caller, org.config, present?.config, config));
  if (present !== undefined && isUnchanged(present.config, config)) {
    return { present, config: present.config, etag: present.etag, changed: false, sites: [] };
  }
  const sites = await affectedSites(reads, name.org, name.profile, config);
  return { present, config, etag: etagOf(config), changed: true, sites };
}

/** Administrators of a profile administer every site that extends it: the organization's own alone name them. */
function leavePeople(caller: Caller, org: Org, before: Profile | undefined, after: Profile): void {
  if (sameValue(before?.access?.admin, after.access?.admin) && sameValue(before?.groups, after.groups)) return;
  if (rolesOf(caller, org).has('admin')) return checkAccess(after, org);
  throw notAuthorized(
    caller,
    org,
    'Only an admin of the organization may change who administers its sites by a profile (access.admin and groups).',
  );
}

async function refuseUsed(reads: Reads, { org, profile }: ProfileName): Promise<void> {
  const sites = (await reads.sitesOfProfile(org, profile)).map(({ site }) => site);
  if (sites.length === 0) return;
  const shown = sites.slice(0, SHOWN_SITES).join(', ');
  const more = sites.length > SHOWN_SITES ? ` and ${sites.length - SHOWN_SITES} more` : '';
  throw new Refusal('PROFILE_IN_USE', `These sites extend the profile "${profile}": ${shown}${more}. Let them extend another first.`, {
    data: { sites: shown, count: String(sites.length) },
  });
}

const SHOWN_SITES = 10;
