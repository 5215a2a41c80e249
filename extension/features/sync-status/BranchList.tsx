import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useState } from 'react';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { BuildManagementPort } from '@repoless/core/sync/build-management-port.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import type { SignInAgain } from '../../ui/sign-in-again.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { BranchJob } from './BranchJob.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly organization: string;
  /** The site by which the repository's jobs are asked for. */
  readonly site: string;
  readonly branches: readonly string[];
  readonly sync: SyncPort;
  /** Where pushes to an external repository arrive. */
  readonly builds: BuildManagementPort | undefined;
  readonly codeHost: string;
  readonly onSignedOut: SignInAgain;
  /** The site is not there any more. */
  readonly onGone: () => void;
}

/** How many branches are followed before more are asked for. */
const FIRST = 4;

/** The latest sync of each branch. */
export function BranchList({ group, organization, site, branches, sync, builds, codeHost, onSignedOut, onGone }: Props) {
  const messages = useMessages('sync').sync;
  const [all, setAll] = useState(false);
  const shown = all ? branches : branches.slice(0, FIRST);
  return (
    <>
      <ul className="rp-plain-list rp-branches" aria-label={messages.branches}>
        {shown.map((branch) => (
          <BranchJob
            key={branch}
            group={group}
            place={{ org: organization, site, ref: sanitizeRef(branch) }}
            branch={branch}
            sync={sync}
            builds={builds}
            codeHost={codeHost}
            onSignedOut={onSignedOut}
            onGone={onGone}
          />
        ))}
      </ul>
      {shown.length < branches.length && (
        <div>
          <ActionButton isQuiet onPress={() => setAll(true)}>
            {messages.moreBranches({ count: branches.length - shown.length })}
          </ActionButton>
        </div>
      )}
    </>
  );
}
