import type { Site } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import type { Change, Decision } from '../changes/change.ts';
import { checkWanted, createdAt, isUnchanged, runChange, within } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredSite } from '../ports.ts';
import { keepAdministration } from '../roles/keep-administration.ts';
import { permit } from '../roles/permit.ts';
import type { Outcome } from '../verb.ts';
import { aggregateSite } from './aggregate-site.ts';
import { checkAggregate, checkNeighbours, completeSite, profileOf } from './check-site.ts';
import type { SiteName } from './check-site.ts';
import { recordChange } from './record-change.ts';

/** A change of a site, or of one part of it. */
export interface SiteChange extends Change {
  readonly name: SiteName;
}

/** What a change comes to, before anything is stored. */
export interface SiteDecision extends Decision {
  readonly present: StoredSite | undefined;
  /** The site over the profile that it extends: the configuration itself where it extends none. Absent where the site goes. */
  readonly aggregate?: Site;
}

/**
 * Changes a site: permission, preconditions, rules, and one transaction with the change, its version and its audit row.
 * Roles, the rules about neighbours and what is required hold for the site together with its profile.
 */
export async function changeSite(context: Context, change: SiteChange): Promise<Outcome> {
  const { outcome, stored } = await runChange(context, change, {
    decide: (reads) => decide(context, change, reads),
    record: (decision, writes) => recordChange(context, change, decision, writes),
  });
  if (stored?.aggregate !== undefined) context.codeStored?.(change.name.org, stored.aggregate.code);
  return outcome;
}

async function decide(context: Context, change: SiteChange, reads: Reads): Promise<SiteDecision> {
  const { caller } = context;
  const { name } = change;
  const { org: storedOrg, site: present } = await reads.orgAndSite(name.org, name.site);
  const org = permit(caller, change.permission, { name: name.org, org: storedOrg, site: present?.aggregate });
  if (present === undefined && change.creates !== true) {
    throw new Refusal('SITE_NOT_FOUND', 'Error updating config: config not found.', {
      detail: `There is no site "${name.org}/${name.site}". Register it first: PUT /config/${name.org}/sites/${name.site}.json.`,
    });
  }
  checkWanted(change, present);
  const input = await change.next(present, reads);
  if (input === null) return { present, config: null, changed: true };
  const now = context.now().toISOString();
  const times = { created: createdAt(change, present, input, now), now };
  const config = within(change, () => completeSite(name, input, times, context.settings));
  const aggregate = aggregateSite(config, await profileOf(reads, name.org, config));
  within(change, () => checkAggregate(name, aggregate));
  if (org !== undefined) {
    const before = present?.aggregate;
    const confirmed = change.query.confirm === true;
    within(change, () => keepAdministration({ caller, org: org.config, before, after: aggregate, confirmed }));
  }
  if (present !== undefined && isUnchanged(present.config, config)) {
    return { present, config: present.config, aggregate: present.aggregate, etag: present.etag, changed: false };
  }
  await checkNeighbours(reads, name, aggregate, present?.aggregate);
  return { present, config, aggregate, etag: etagOf(config), changed: true };
}
