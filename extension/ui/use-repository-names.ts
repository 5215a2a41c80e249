import type { BuildManagementPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { useEffect, useState } from 'react';

/** The names of repositories: build management's name for an external one, if it can be read. */
export function useRepositoryNames(
  builds: Pick<BuildManagementPort, 'repositories'> | undefined,
  organization: string,
  groups: readonly RepositoryGroup[],
): (group: RepositoryGroup) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const isAsked = groups.some(({ type }) => type === 'byogit');
  useEffect(() => {
    if (builds === undefined || !isAsked) return undefined;
    let isOver = false;
    void builds.repositories(organization).then((answer) => {
      if (isOver || answer.state !== 'known') return;
      const keyOf = (owner: string, repo: string): string => repositoryKey({ type: 'byogit', owner, repo });
      setNames(new Map(answer.value.repositories.map((one) => [keyOf(one.programId, one.repositoryId), one.name])));
    });
    return () => {
      isOver = true;
    };
  }, [builds, organization, isAsked]);
  return ({ key, owner, repo }) => names.get(key) ?? `${owner}/${repo}`;
}
