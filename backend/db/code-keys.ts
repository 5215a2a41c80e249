import { sql } from 'kysely';

/** The code of a row of `sites`, held against STEM_OF_KEY: on the code host names are the same in any case. */
export const CODE_OF_SITE = sql<string>`case when repository like 'byogit:%' then 'byogit:' || org || substr(repository, 7) else lower(repository) end`;

/** The code that a `key` is of: that of an external repository ends with a hash of its addresses, byogit:<org>:<owner>/<repo>:<hash>. */
export const STEM_OF_KEY = sql<string>`case when key like 'byogit:%' then substr(key, 1, length(key) - 17) else key end`;
