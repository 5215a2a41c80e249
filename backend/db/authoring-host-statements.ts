import { sql } from 'kysely';
import type { HeldRoot } from '../sites/content-roots/ports.ts';
import { text } from './row.ts';
import type { Row } from './row.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import type { Dialect } from './tables.ts';
import { must } from './write-set.ts';
import type { ContentRootChange, EffectStep } from './write-set.ts';
import type { WriteStatements } from './write-statements.ts';

const HOST = slot<string>('host');
const ORG = slot<string>('org');
const ROOT = slot<string>('root');

/** Every query that reads whose authoring hosts are, and who holds roots on them. */
export function authoringHostReadStatements(compile: Compile) {
  return {
    contentRootsOn: compile('content-roots-on', (db) =>
      db
        .selectFrom('sites')
        .select(['org', 'site', 'content_root'])
        .where('content_root', '>=', slot<string>('from'))
        .where('content_root', '<', slot<string>('until'))
        .orderBy('content_root'),
    ),
    orgOfAuthoringHost: compile('org-of-authoring-host', (db) => db.selectFrom('authoring_hosts').select('org').where('host', '=', HOST)),
    authoringHosts: compile('authoring-hosts', (db) => db.selectFrom('authoring_hosts').select(['host', 'org']).orderBy('host')),
  };
}

export function heldRoot(row: Row): HeldRoot {
  return { org: text(row, 'org'), site: text(row, 'site'), contentRoot: text(row, 'content_root') };
}

/** Every query that changes it. */
export function authoringHostWriteStatements(compile: Compile, dialect: Dialect) {
  const { contentRootsOn } = authoringHostReadStatements(compile);
  const row = { host: HOST, org: ORG };
  return {
    rootsHeldOn: contentRootsOn,
    // SQLite has one writer, so that nothing has to be held there.
    holdAuthoringHosts: compile('hold-authoring-hosts', (db) => ({
      compile: () => (dialect === 'postgres' ? sql`lock table authoring_hosts in exclusive mode` : sql`select 1 as held`).compile(db),
    })),
    assignHost: compile('assign-host', (db) =>
      db
        .insertInto('authoring_hosts')
        .values(row)
        .onConflict((conflict) => conflict.column('host').doUpdateSet(row)),
    ),
    releaseHost: compile('release-host', (db) => db.deleteFrom('authoring_hosts').where('host', '=', HOST)),
    releaseRoot: compile('release-root', (db) =>
      db
        .updateTable('sites')
        .set({ content_root: null })
        .where('org', '=', ORG)
        .where('site', '=', slot<string>('site'))
        .where('content_root', '=', ROOT),
    ),
  };
}

/**
 * The steps of such changes. As whoever writes sites does, they hold the trails of the organizations first, in their order; then the hosts, so that
 * the roots that are looked at after it are all there will be.
 */
export function contentRootSteps(statements: WriteStatements, changes: readonly ContentRootChange[]): EffectStep[] {
  const released = changes.flatMap((change) => (change.kind === 'release-root' ? change.root.org : []));
  return [
    ...[...new Set(released)].toSorted().map((org) => held(statements.defaultProfile, { org })),
    ...changes.flatMap((change) => stepsOf(statements, change)),
  ];
}

function stepsOf(statements: WriteStatements, change: ContentRootChange): EffectStep[] {
  switch (change.kind) {
    case 'assign-host': {
      const { host, org } = change.assigned;
      const seen = new Set(change.held.map(nameOf));
      const isSame = (rows: readonly Row[]) => {
        const found = rows.map(heldRoot).filter((root) => root.org !== org);
        return found.length === seen.size && found.every((root) => seen.has(nameOf(root)));
      };
      return [
        held(statements.holdAuthoringHosts, {}),
        { kind: 'check', statement: statements.rootsHeldOn, args: { from: `${host}/`, until: `${host}0` }, holds: isSame },
        must(statements.assignHost, { host, org }),
      ];
    }
    case 'release-host':
      return [must(statements.releaseHost, { host: change.host })];
    case 'release-root': {
      const { org, site, contentRoot } = change.root;
      return [must(statements.releaseRoot, { org, site, root: contentRoot })];
    }
    default:
      return change satisfies never;
  }
}

function held(statement: WriteStatements[keyof WriteStatements], args: Readonly<Record<string, string>>): EffectStep {
  return { kind: 'check', statement, args, holds: () => true };
}

function nameOf({ org, site, contentRoot }: HeldRoot): string {
  return `${org}/${site} ${contentRoot}`;
}
