import { may, must, put } from './effect-step.ts';
import type { EffectStep } from './effect-step.ts';
import type { Effects } from './effects.ts';
import { afterSites, beforeSites } from './profile-steps.ts';
import type { WriteStatements } from './write-statements.ts';

/** The statements that store the effects of one write, in order. */
export function effectSteps(statements: WriteStatements, effects: Effects): EffectStep[] {
  return [
    ...effects.orgs.map(({ row, seen }) =>
      put(seen, row, { insert: statements.insertOrg, update: statements.updateOrg, upsert: statements.upsertOrg }),
    ),
    ...beforeSites(statements, effects),
    ...effects.sites.flatMap((change) => siteSteps(statements, change)),
    ...afterSites(statements, effects),
    ...effects.secrets.map((change) =>
      change.kind === 'put'
        ? must(statements.putSecret, change.row)
        : must(statements.deleteSecret, { org: change.org, site: change.site, name: change.name }),
    ),
    ...effects.versions.flatMap(({ row, forget }) => {
      const { org, kind, item } = row;
      const added = must(statements.addVersion, row);
      return forget > 0 ? [added, may(statements.forgetVersions, { org, kind, item, forget })] : [added];
    }),
    ...effects.versionChanges.map((change) =>
      change.kind === 'name'
        ? must(statements.nameVersion, { ...change.key, version: change.version, name: change.name })
        : must(statements.deleteVersion, { ...change.key, version: change.version }),
    ),
    ...effects.audits.map((row) => must(statements.addAudit, row)),
  ];
}

function siteSteps(statements: WriteStatements, change: Effects['sites'][number]): EffectStep[] {
  if (change.kind === 'put') {
    const { insertSite, updateSite, upsertSite } = statements;
    return [put(change.seen, change.row, { insert: insertSite, update: updateSite, upsert: upsertSite })];
  }
  const { org, site, seen } = change;
  return [
    seen === undefined ? may(statements.deleteSite, { org, site }) : must(statements.deleteSeenSite, { org, site, seen }),
    may(statements.deleteSecretsOfSite, { org, site }),
    may(statements.deleteApiKeysOfSite, { org, site }),
  ];
}
