import { z } from 'zod';
import { RepositoryName } from './code-source.ts';
import { FLAG, WRITE_QUERY } from './endpoint.ts';
import { VersionName, VersionNumber } from './history.ts';

/** `?versionName=` names the version that the change makes. */
export const ChangeQuery = WRITE_QUERY.extend({ versionName: VersionName.min(1).optional() });
/** `?confirm=true` lets a change through that takes the administration of the site from its caller. */
export const ConfirmQuery = ChangeQuery.extend({ confirm: FLAG.optional() });
/** `?unchecked=true`, for operators alone: the code source is stored without asking whether it is there. */
export const SourceQuery = ConfirmQuery.extend({ unchecked: FLAG.optional() });
/** `?restoreVersion=` brings a version back, by a call without a body. */
export const RestoreQuery = SourceQuery.extend({ restoreVersion: VersionNumber.optional() });

/** `?migrate=true` takes the site from the fstab.yaml and paths.json of a repository, by a call without a body. */
const migration = { migrate: FLAG.optional(), owner: RepositoryName.optional(), repo: RepositoryName.optional() };
const REPOSITORY = { error: '"owner" and "repo" name the repository of ?migrate=true. Send that too, or omit them.', path: ['owner'] };

export const GetSiteQuery = z.object(migration).refine(namesWhatIsMigrated, REPOSITORY);

/** `?replace=true` replaces a site that is there whole; without it the parts stay that the body does not name. */
export const PutSiteQuery = SourceQuery.extend({ ...migration, replace: FLAG.optional() })
  .refine(namesWhatIsMigrated, REPOSITORY)
  .refine(({ migrate, replace }) => migrate !== true || replace !== true, {
    error: '?migrate=true keeps the parts that the repository does not name. Omit "replace".',
    path: ['replace'],
  });

export const PostSiteQuery = RestoreQuery.extend({ ...migration, replace: FLAG.optional() })
  .refine(namesWhatIsMigrated, REPOSITORY)
  .refine(({ migrate, restoreVersion }) => migrate !== true || restoreVersion === undefined, {
    error: 'A site is created from its repository or from a version, not from both. Omit "migrate" or "restoreVersion".',
    path: ['migrate'],
  })
  .refine(({ replace }) => replace !== false, {
    error: 'POST replaces a site whole. PUT keeps the parts that the body does not name.',
    path: ['replace'],
  });

function namesWhatIsMigrated(query: { migrate?: boolean | undefined; owner?: string | undefined; repo?: string | undefined }): boolean {
  return query.migrate === true || (query.owner === undefined && query.repo === undefined);
}
