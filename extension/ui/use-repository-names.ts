import type { BuildManagementPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { useMemo } from 'react';
import { useReading } from './use-reading.ts';

/** The names of repositories: build management's name for an external one, if it can be read. */
export function useRepositoryNames(
  builds: Pick<BuildManagementPort, 'repositories'> | undefined,
  organization: string,
  groups: readonly RepositoryGroup[],
): (group: RepositoryGroup) => string {
  const isNeeded = groups.some(({ type }) => type === 'byogit');
  const read = useMemo(
    () => (builds === undefined || !isNeeded ? undefined : async () => builds.repositories(organization)),
    [builds, organization, isNeeded],
  );
  const [reading] = useReading(read);
  const known = reading.state === 'ready' ? reading.value.repositories : [];
  const keyOf = (owner: string, repo: string): string => repositoryKey({ type: 'byogit', owner, repo });
  const names = new Map(known.map((one) => [keyOf(one.programId, one.repositoryId), one.name]));
  return ({ key, owner, repo }) => names.get(key) ?? `${owner}/${repo}`;
}
