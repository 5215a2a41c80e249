import { may, must, put } from './write-set-step.ts';
import type { EffectStep } from './write-set-step.ts';
import type { WriteSet } from './write-set.ts';
import { rolloutSteps } from './rollout-row.ts';
import { afterSites, beforeSites } from './profile-steps.ts';
import type { WriteStatements } from './write-statements.ts';

/** The statements that store the effects of one write, in order. */
export function effectSteps(statements: WriteStatements, writeSet: WriteSet): EffectStep[] {
  return [
    ...writeSet.orgs.flatMap(({ row, members, seen }) => [
      put(seen, row, { insert: statements.insertOrg, update: statements.updateOrg, upsert: statements.upsertOrg }),
      may(statements.forgetOrgMembers, { org: row.org, members }),
      may(statements.addOrgMembers, { org: row.org, members }),
    ]),
    ...beforeSites(statements, writeSet),
    ...writeSet.sites.flatMap((change) => siteSteps(statements, change)),
    ...afterSites(statements, writeSet),
    ...writeSet.secrets.map((change) =>
      change.kind === 'put'
        ? must(statements.putSecret, change.row)
        : must(statements.deleteSecret, { org: change.org, site: change.site, name: change.name }),
    ),
    ...writeSet.subscriptions.flatMap((change) =>
      change.kind === 'put'
        ? [must(statements.putSubscription, change.row)]
        : [must(statements.deleteSubscription, { id: change.id }), may(statements.deleteDeliveriesOf, { id: change.id })],
    ),
    ...writeSet.versions.flatMap(({ row, forget }) => {
      const { org, kind, item } = row;
      const added = must(statements.addVersion, row);
      return forget > 0 ? [added, may(statements.forgetVersions, { org, kind, item, forget })] : [added];
    }),
    ...writeSet.versionChanges.map((change) =>
      change.kind === 'name'
        ? must(statements.nameVersion, { ...change.key, version: change.version, name: change.name })
        : must(statements.deleteVersion, { ...change.key, version: change.version }),
    ),
    ...writeSet.siteChecks.map(({ row, seen }) =>
      seen === 0 ? must(statements.insertSiteCheck, row) : must(statements.updateSiteCheck, { ...row, seen }),
    ),
    ...writeSet.rollouts.flatMap((change) => rolloutSteps(statements, change)),
    ...writeSet.causes.map(({ isOpen, ...cause }) =>
      may(isOpen ? statements.beginCause : statements.endCause, {
        ...cause,
        site: cause.site ?? null,
        repository: cause.repository ?? null,
        ref: cause.ref ?? null,
        detail: cause.detail ?? null,
      }),
    ),
    ...writeSet.audits.map((row): EffectStep => ({ kind: 'audit', row })),
  ];
}

function siteSteps(statements: WriteStatements, change: WriteSet['sites'][number]): EffectStep[] {
  if (change.kind === 'put') {
    const { insertSite, updateSite, updateSiteInPlace, upsertSite } = statements;
    return [put(change.seen, change.row, { insert: insertSite, update: updateSite, upsert: upsertSite, inPlace: updateSiteInPlace })];
  }
  const { org, site, seen } = change;
  return [
    seen === undefined ? may(statements.deleteSite, { org, site }) : must(statements.deleteSeenSite, { org, site, seen }),
    may(statements.deleteSecretsOfSite, { org, site }),
    may(statements.deleteApiKeysOfSite, { org, site }),
  ];
}
