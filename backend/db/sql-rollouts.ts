import { RolloutSiteState } from '@repoless/contract/rollout.ts';
import type { RolloutStore } from '../rollouts/rules/ports.ts';
import { serial, text } from './row.ts';
import { storedRollout, storedRolloutSite } from './rollout-row.ts';
import { rolloutStatements } from './rollout-statements.ts';
import type { Query } from './sql-reads.ts';
import type { Compile } from './statement.ts';

/** Rollouts on either engine. In: how to read, and how to execute a durable change. */
export function sqlRollouts(compile: Compile, read: Query, change: Query): RolloutStore {
  const statements = rolloutStatements(compile);
  return {
    async list(org) {
      return (await read(statements.list, { org })).map(storedRollout);
    },
    async counts(org, rollout, wave) {
      const rows = await read(statements.counts, { org, rollout, wave });
      const sum = (column: string) => rows.reduce((all, row) => all + serial(row, column), 0);
      const states = Object.fromEntries(rows.map((row) => [RolloutSiteState.parse(row['state']), serial(row, 'sites')]));
      return { total: sum('sites'), states, worse: sum('worse'), stuck: sum('stuck') };
    },
    async sites(org, rollout, { worse, stuck, ...page }) {
      const flag = (wanted: boolean | undefined) => (wanted === undefined ? -1 : Number(wanted));
      const rows = await read(statements.sites, { org, rollout, ...page, worse: flag(worse), stuck: flag(stuck) });
      return rows.map(storedRolloutSite);
    },
    async next(org, rollout, state, page) {
      return (await read(statements.next, { org, rollout, state, ...page })).map(storedRolloutSite);
    },
    async unnoted(org, rollout, limit) {
      return (await read(statements.unnoted, { org, rollout, limit })).map(storedRolloutSite);
    },
    async unjudged(org, rollout, limit) {
      return (await read(statements.unjudged, { org, rollout, limit })).map(storedRolloutSite);
    },
    async open(leased, limit) {
      return (await read(statements.open, { leased, limit })).map((row) => ({ org: text(row, 'org'), id: text(row, 'id') }));
    },
    async claim({ org, id, owner, until }, leased) {
      return (await change(statements.claim, { org, id, owner, until, leased })).length > 0;
    },
    async release({ org, id, owner, now }) {
      await change(statements.release, { org, id, owner, now });
    },
    async forget(org, kept) {
      await change(statements.forgetSites, { org, kept });
      await change(statements.forget, { org, kept });
    },
  };
}
