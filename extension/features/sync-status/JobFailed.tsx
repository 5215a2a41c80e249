import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import type { JobProblem } from '@repoless/core/sync/job-problem.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PasteSecret } from './PasteSecret.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly place: BranchPlace;
  readonly branch: string;
  readonly sync: Pick<SyncPort, 'start' | 'setSecret'>;
  readonly problem: JobProblem;
}

/** What a failed sync means, its own message, and what to do: right there where it can be done here. */
export function JobFailed({ group, place, branch, sync, problem }: Props) {
  const messages = useMessages('sync').sync;
  const { sentence, next } = fillFrom(messages.problems[problem.kind], { branch, holder: group.holder ?? place.site });
  return (
    <div className="rp-notice rp-notice-negative" role="group" aria-label={messages.means}>
      <AlertCircle size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p>
          <span className="rp-hidden">{messages.message}: </span>
          <code className="rp-code">{problem.error}</code>
        </p>
        <p>{sentence}</p>
        {next !== undefined && <p className="rp-next">{next}</p>}
        {problem.action === 'paste-secret' && <PasteSecret group={group} place={place} branch={branch} sync={sync} />}
      </div>
    </div>
  );
}
