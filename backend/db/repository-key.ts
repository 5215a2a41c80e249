import { sql } from 'kysely';
import { slot } from './statement.ts';

/**
 * What a site's repository is found and counted by, as `repositoryKey` of the domain makes it. Indexes have this very expression.
 */
export const REPOSITORY_KEY = sql<string>`(case when substr(repository, 1, 7) = 'github:' then lower(repository) else repository end)`;

/** Sites on the repository whose key is given. */
export const ON_REPOSITORY = sql<boolean>`${REPOSITORY_KEY} = ${slot<string>('repository')}`;
