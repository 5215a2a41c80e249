import { repositoryKey } from '../code/rules/code-origin.ts';
import { ON_REPOSITORY } from './repository-key.ts';
import { slot } from './statement.ts';
import type { Compile } from './statement.ts';
import { optionalText, text } from './row.ts';
import type { EffectStep } from './write-set.ts';

/** Which site held the secret of a repository when a write looked; undefined where none did. */
export interface SeenHolder {
  readonly org: string;
  readonly repository: string;
  readonly site: string | undefined;
}

/** The sites of an organization on a repository, as a write saw them. */
export interface SeenUsers {
  readonly org: string;
  readonly repository: string;
  readonly sites: ReadonlySet<string>;
}

const ORG = slot<string>('org');

/** The looks at what was decided on, by the organization's turn. */
export function holderStatements(compile: Compile) {
  return {
    holderOfSecret: compile('holder-of-secret', (db) =>
      db
        .selectFrom('sites')
        .select('site')
        .where('org', '=', ORG)
        .where('repository', '=', slot<string>('repository'))
        .where('holds_secret', '=', 1),
    ),
    usersOfSecret: compile('users-of-secret', (db) => db.selectFrom('sites').select('site').where('org', '=', ORG).where(ON_REPOSITORY)),
  };
}

/**
 * A site that uses the secret of another, and the removal of that one, see each other: whoever comes second in the organization's turn is
 * decided on again. Rule: docs/contract.md 3.7.
 */
export function sameHolders(
  { holderOfSecret, usersOfSecret }: ReturnType<typeof holderStatements>,
  holders: Iterable<SeenHolder>,
  users: Iterable<SeenUsers>,
): EffectStep[] {
  return [
    ...Array.from(holders, ({ org, repository, site }): EffectStep => {
      return {
        kind: 'check',
        statement: holderOfSecret,
        args: { org, repository },
        holds: ([row = {}]) => optionalText(row, 'site') === site,
      };
    }),
    ...Array.from(users, ({ org, repository, sites }): EffectStep => {
      const args = { org, repository: repositoryKey(repository) };
      return {
        kind: 'check',
        statement: usersOfSecret,
        args,
        holds: (rows) => rows.length === sites.size && rows.every((row) => sites.has(text(row, 'site'))),
      };
    }),
  ];
}
