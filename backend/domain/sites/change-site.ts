import { REPOSITORY_SECRET } from '#contract/secret.ts';
import type { Profile, Site } from '#contract/site.ts';
import { etagOf, etagOfCanonical } from '../canonical.ts';
import { changeRequest } from '../changes/change.ts';
import type { Change, ChangeRequest, Decision } from '../changes/change.ts';
import { withKnownSources, changedOrigin } from '../code/code-source-cache.ts';
import { addVersion, checkWanted, createdAt, isUnchanged, otherName, readWithin, runChange, within } from '../changes/run-change.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredSite, Writes } from '../ports.ts';
import { mayExtend } from '../profiles/may-extend.ts';
import { keepAdministration } from '../roles/prevent-lockout.ts';
import { keepCapacity, requireRepositoryCapacity, requireCapacity, requireSmall } from '../quotas/quotas.ts';
import { permit, requireUser } from '../roles/permit.ts';
import type { Grants } from '../roles/roles-of.ts';
import type { Outcome } from '../operation.ts';
import { completeSite } from './complete-site.ts';
import { checkAggregate, checkNeighbours, profileOf, refuseSecondHolder, withKeptYaml } from './check-site.ts';
import type { SiteName } from './check-site.ts';
import { withReadYaml } from './read-site-yaml.ts';
import type { CheckYaml } from './read-site-yaml.ts';
import { keepHolder } from './keep-holder.ts';
import { pathWarnings } from './path-warnings.ts';
import { keepSecret } from '../secrets/keep-secret.ts';
import type { StoredSecret } from '../secrets/stored-secret.ts';
import { storeSecrets, takenSecrets } from '../secrets/take-secrets.ts';
import { aggregateSite, siteIndexKeys } from './aggregate-site.ts';

/** A change of a site, or of one part of it. */
export interface SiteChange extends Change {
  readonly name: SiteName;
}

/** What a change comes to, before anything is stored. */
export interface SiteDecision extends Decision {
  readonly present: StoredSite | undefined;
  /** The site over the profile that it extends: the configuration itself where it extends none. Absent where the site goes. */
  readonly aggregate?: Site;
  /** What of its secrets is stored apart. */
  readonly secrets?: readonly StoredSecret[];
}

/**
 * Changes a site: permission, preconditions, rules, and one transaction with the change, its version and its audit row.
 * Roles, the rules about neighbours and what is required hold for the site together with its profile.
 */
export async function changeSite(context: Context, change: SiteChange): Promise<Outcome> {
  const { org } = change.name;
  const { outcome, stored } = await withKnownSources(context, { org, ...change }, (requireSource) =>
    withReadYaml(context, org, (checkYaml) =>
      runChange(context, change, {
        subject: { kind: 'site', org, site: change.name.site },
        decide: async (reads) => {
          const decision = await decide(context, change, reads, checkYaml);
          requireSource(decision.present?.aggregate.code, decision.aggregate?.code);
          return decision;
        },
        record: (decision, writes) => recordChange(context, change, decision, writes),
      }),
    ),
  );
  if (stored?.aggregate !== undefined && bringsSecret(stored.secrets)) await context.firstSyncs?.secretStored(org, stored.aggregate.code);
  if (stored?.aggregate !== undefined && coversCode(change)) await context.firstSyncs?.codeStored(org, stored.aggregate.code);
  return outcome;
}

/** Whether what comes is a whole site, and not one of its versions, whose every part was meant. */
function isWholeSite({ creates, restores }: SiteChange): boolean {
  return creates === true && restores === undefined;
}

function bringsSecret(secrets: readonly StoredSecret[] = []): boolean {
  return secrets.some(({ name }) => name === REPOSITORY_SECRET);
}

/** Whether the call is about the code, among other things. */
function coversCode({ view }: SiteChange): boolean {
  return view === undefined || ['', '/code', '/extends'].includes(view.pointer);
}

async function decide(context: Context, change: SiteChange, reads: Reads, checkYaml: CheckYaml): Promise<SiteDecision> {
  const { caller } = context;
  const { name } = change;
  const [{ org: storedOrg, site: present }, usage] = await Promise.all([reads.orgAndSite(name.org, name.site), reads.usage(name.org)]);
  const org = permit(caller, change.permission, { name: name.org, org: storedOrg, site: present?.aggregate });
  if (present === undefined && change.creates !== true) {
    throw new Refusal('SITE_NOT_FOUND', 'Error updating config: config not found.', {
      detail: `The site "${name.org}/${name.site}" does not exist. Register it first: PUT /config/${name.org}/sites/${name.site}.json.`,
    });
  }
  checkWanted(change, present);
  const wanted = await change.next(present, reads);
  if (wanted === null) {
    if (present !== undefined) await keepHolder(reads, caller, org, present);
    return { present, config: null, changed: true };
  }
  const input = isWholeSite(change) ? withKeptYaml(wanted, present?.config) : wanted;
  const now = context.now().toISOString();
  const times = { created: createdAt(change, present, input, now), now };
  const config = within(change, () => completeSite(name, input, times, context.settings));
  within(change, () => checkYaml(present?.config, config));
  if (org !== undefined) mayExtend(caller, org.config, present?.aggregate, config);
  const profile = await profileOf(reads, name.org, config);
  const aggregate = aggregateSite(config, profile);
  within(change, () => checkAggregate(name, aggregate));
  if (org !== undefined) {
    const before = present?.aggregate;
    const confirmed = change.query.confirm === true;
    // Whom the profile names is nothing that a new site says.
    within(change, () =>
      keepAdministration({ caller, org: org.config, before: before ?? grantsOf(name, profile), after: aggregate, confirmed }),
    );
    await keepSecret(reads, { caller, org: org.config, site: name.site, before, after: aggregate, sent: input.secrets });
  }
  const warnings = [...otherName(input.name, name.site), ...pathWarnings(change.view, config)];
  const secrets = await takenSecrets(context, reads, name, { sent: input.secrets, restores: change.restores });
  if (bringsSecret(secrets)) await refuseSecondHolder(reads, name, aggregate);
  if (present !== undefined && secrets.length === 0 && isUnchanged(present.config, config)) {
    return { present, config: present.config, aggregate: present.aggregate, etag: present.etag, changed: false, warnings };
  }
  const bytes = requireSmall(aggregate, `The site "${name.org}/${name.site}"`);
  const isNew = present === undefined;
  const { quotas } = context.settings;
  requireCapacity(quotas, name.org, usage, { sites: isNew ? 1 : 0, versions: 1, bytes: isNew ? 2 * bytes : bytes });
  const { repository } = siteIndexKeys(aggregate);
  if (repository !== undefined && (isNew || repository !== siteIndexKeys(present.aggregate).repository))
    await requireRepositoryCapacity(quotas, name.org, reads, repository);
  await readWithin(change, () => checkNeighbours(reads, name, { config, aggregate }, present));
  return { present, config, aggregate, etag: etagOfCanonical(config), changed: true, secrets, warnings };
}

function grantsOf({ site }: SiteName, profile: Profile | undefined): Grants | undefined {
  if (profile === undefined) return undefined;
  const { access, groups } = profile;
  return { name: site, ...(access === undefined ? {} : { access }), ...(groups === undefined ? {} : { groups }) };
}

/** What every change of a site takes over from its call. */
export function siteRequest(
  input: ChangeRequest & { readonly params: SiteName },
): Pick<SiteChange, 'name' | 'query' | 'ifMatch' | 'ifNoneMatch'> {
  return { name: { org: input.params.org, site: input.params.site }, ...changeRequest(input) };
}

/** Stores a change with its numbered version and its audit row. Version numbers are never given twice, deleted sites included. */
async function recordChange(context: Context, change: SiteChange, decision: SiteDecision, writes: Writes): Promise<void> {
  const { org, site } = change.name;
  const time = context.now();
  const from = decision.present?.version;
  const subject = { kind: 'site', org, site } as const;
  const version = (from ?? (await writes.latestVersion(subject))) + 1;
  const { config, aggregate = config, etag } = decision;
  if (config === null || aggregate === null) await writes.deleteSite(org, site, time);
  else {
    const extended = aggregate === config ? {} : { aggregate };
    await writes.putSite({ org, site, config, ...extended, etag: etag ?? etagOf(config), version, ...siteIndexKeys(aggregate) });
  }
  if (from === undefined) await keepCapacity(context.settings.quotas, org, writes, 'sites');
  await addVersion(context, writes, { subject, version, data: config, time, name: change.query.versionName, restores: change.restores });
  const entry = {
    org,
    site,
    time,
    user: requireUser(context.caller).email,
    action: change.action,
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  };
  await writes.addAudit(entry);
  await storeSecrets(context, writes, decision.secrets ?? []);
  await change.also?.(writes, config);
  const source = changedOrigin(org, decision.present?.aggregate.code, aggregate?.code);
  if (change.query.unchecked === true && source !== undefined)
    await writes.addAudit({ ...entry, action: `unchecked-source/${source.repository}` });
}
