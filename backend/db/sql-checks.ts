import type { CheckStore, CheckRound, CheckSummary, ListedCheck } from '../checks/rules/ports.ts';
import type { CodeOrigin } from '../code/rules/code-origin.ts';
import { checkStatements } from './check-statements.ts';
import { document, integer, optionalText, serial, text } from './row.ts';
import type { Row } from './row.ts';
import { optionalState } from './site-check-row.ts';
import type { Queries } from './sql-reads.ts';
import type { Compile } from './statement.ts';

/** Stored checks and their rounds on either engine. */
export function sqlChecks(compile: Compile, { read, change }: Queries): CheckStore {
  const statements = checkStatements(compile);
  const external = (org: string) => ({ from: `byogit:${org}:`, until: `byogit:${org};` });
  return {
    async list(org, page) {
      return (await read(statements.list, { org, ...page })).map(listed);
    },
    async states(org) {
      return (await read(statements.states, { org })).map((row) => ({
        state: optionalState(row),
        isComplete: integer(row, 'complete') === 1,
        sites: serial(row, 'sites'),
      }));
    },
    async repositories(org) {
      const rows = await read(statements.repositories, { org });
      return rows.map((row) => ({ repository: text(row, 'repository'), sites: serial(row, 'sites') }));
    },
    async openSyncs(org, ref) {
      return (await read(statements.openSyncs, { org, ref, ...external(org) })).map((row) => text(row, 'key'));
    },
    async changes(org, since, limit) {
      return (await read(statements.changes, { org, since, limit })).map(dayCount);
    },
    async syncs(org, since) {
      const rows = await read(statements.syncs, { org, since, ...external(org) });
      return rows.map((row) => ({ ...dayCount(row), failed: serial(row, 'failed') }));
    },
    async due(org, page) {
      return (await read(statements.due, { org, ...page })).map((row) => text(row, 'site'));
    },
    async countDue(org, before) {
      const [row = {}] = await read(statements.countDue, { org, before });
      return serial(row, 'count');
    },
    async dueOrgs(now, leased, limit) {
      return (await read(statements.dueOrgs, { now, leased, limit })).map((row) => text(row, 'org'));
    },
    async syncedOrigins(since, ref, { after, limit }) {
      const rows = (await read(statements.synced, { since, ref, after, limit })).map((row) => text(row, 'origin'));
      const origins = rows.map((row) => document<CodeOrigin>(row));
      return {
        origins: [...new Map(origins.map((origin) => [origin.key, origin])).values()],
        next: rows.length < limit ? undefined : rows.at(-1),
      };
    },
    async claimRound({ org, owner, now, leased, until }, whole) {
      return (await change(statements.claimRound, { org, owner, now, leased, until, whole: whole ? 1 : 0 })).map(round)[0];
    },
    async joinRound(org, leased) {
      return (await change(statements.joinRound, { org, leased })).map(round)[0];
    },
    async saveRound({ org, owner, until }, { done, total }) {
      return (await change(statements.saveRound, { org, owner, until, done, total })).length > 0;
    },
    async finishRound({ org, owner }, due) {
      return (await change(statements.finishRound, { org, owner, due })).length > 0;
    },
    async releaseRound({ org, owner }) {
      await change(statements.releaseRound, { org, owner });
    },
    async round(org, leased) {
      return (await read(statements.round, { org, leased })).map(round)[0];
    },
  };
}

function listed(row: Row): ListedCheck {
  const [at, by] = [optionalText(row, 'authoring_at'), optionalText(row, 'authoring_by')];
  const known = optionalState(row);
  return {
    site: text(row, 'site'),
    version: integer(row, 'site_version'),
    repository: optionalText(row, 'repository'),
    isComplete: integer(row, 'complete') === 1,
    check:
      known === undefined
        ? undefined
        : {
            state: known,
            summary: document<CheckSummary>(text(row, 'summary')),
            at: text(row, 'checked_at'),
            version: integer(row, 'version'),
            authoring: at === undefined || by === undefined ? undefined : { at, by },
          },
  };
}

function round(row: Row): CheckRound {
  return {
    org: text(row, 'org'),
    since: text(row, 'since'),
    whole: integer(row, 'whole') + integer(row, 'again') > 0,
    done: integer(row, 'done'),
    total: integer(row, 'total'),
  };
}

function dayCount(row: Row) {
  return { day: text(row, 'day'), count: serial(row, 'count') };
}
