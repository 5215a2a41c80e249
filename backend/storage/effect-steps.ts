import type { Effects } from './effects.ts';
import type { Args, Statement } from './statement.ts';
import type { WriteStatements } from './write-statements.ts';

export interface EffectStep {
  readonly statement: Statement;
  readonly args: Args;
  /** Where it changes no row, somebody else was faster. */
  readonly mustChange: boolean;
}

/** The statements that store the effects of one write, in order. */
export function effectSteps(statements: WriteStatements, effects: Effects): EffectStep[] {
  const steps: EffectStep[] = [];
  for (const { row, seen } of effects.orgs) {
    const [statement, args] = choose(seen, row, statements.insertOrg, statements.updateOrg, statements.upsertOrg);
    steps.push({ statement, args, mustChange: true });
  }
  for (const change of effects.sites) {
    if (change.kind === 'delete') {
      const { org, site, seen } = change;
      const [statement, args] =
        seen === undefined ? [statements.deleteSite, { org, site }] : [statements.deleteSeenSite, { org, site, seen }];
      steps.push({ statement, args, mustChange: seen !== undefined });
      steps.push({ statement: statements.deleteSecretsOfSite, args: { org, site }, mustChange: false });
    } else {
      const [statement, args] = choose(change.seen, change.row, statements.insertSite, statements.updateSite, statements.upsertSite);
      steps.push({ statement, args, mustChange: true });
    }
  }
  for (const change of effects.secrets) {
    if (change.kind === 'put') steps.push({ statement: statements.putSecret, args: { ...change.row }, mustChange: true });
    else {
      const { org, site, name } = change;
      steps.push({ statement: statements.deleteSecret, args: { org, site, name }, mustChange: true });
    }
  }
  for (const row of effects.versions) steps.push({ statement: statements.addVersion, args: { ...row }, mustChange: true });
  for (const row of effects.audits) steps.push({ statement: statements.addAudit, args: { ...row }, mustChange: true });
  return steps;
}

function choose(seen: number | undefined, row: object, insert: Statement, update: Statement, upsert: Statement): [Statement, Args] {
  if (seen === undefined) return [upsert, { ...row }];
  return seen === 0 ? [insert, { ...row }] : [update, { ...row, seen }];
}
