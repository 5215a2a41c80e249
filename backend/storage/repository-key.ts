import { sql } from 'kysely';

/**
 * What a site's repository is found and counted by, as `repositoryKey` of the domain makes it. Indexes have this very expression.
 */
export const REPOSITORY_KEY = sql<string>`(case when substr(repository, 1, 7) = 'github:' then lower(repository) else repository end)`;
