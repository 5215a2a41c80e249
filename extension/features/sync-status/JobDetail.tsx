import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useState } from 'react';
import type { JobDetails, JobListEntry } from '@repoless/contract/job.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly group: RepositoryGroup;
  readonly place: BranchPlace;
  readonly sync: Pick<SyncPort, 'details'>;
  readonly job: JobListEntry;
  readonly codeHost: string;
}

/** So many files are drawn. */
const SHOWN = 20;

/** What a sync changed, its commit and who began it, read when it is asked for. */
export function JobDetail({ group, place, sync, job, codeHost }: Props) {
  const { syncHistory: messages } = useMessages('sync');
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'medium' });
  const [reading, setReading] = useState<Known<JobDetails> | { readonly state: 'loading' }>();
  const read = async (): Promise<void> => {
    setReading({ state: 'loading' });
    setReading(await sync.details(place, job.name));
  };
  if (reading === undefined)
    return (
      <ActionButton isQuiet aria-label={messages.detailsOf({ when: dates.format(new Date(job.time)) })} onPress={() => void read()}>
        {messages.details}
      </ActionButton>
    );
  if (reading.state !== 'known')
    return <Unread reading={reading} loading={messages.reading} missing={messages.missing} onRetry={() => void read()} />;
  return <Facts details={reading.value} group={group} codeHost={codeHost} />;
}

function Facts({ details, group, codeHost }: { readonly details: JobDetails } & Pick<Props, 'group' | 'codeHost'>) {
  const { sync, syncHistory: messages } = useMessages('sync');
  const { sha, changes, truncated } = details.data;
  const shown = changes.slice(0, SHOWN);
  const repository = [group.owner, group.repo].map(encodeURIComponent).join('/');
  return (
    <div className="rp-stack-tight rp-past-job-facts" role="status">
      {details.error !== undefined && <code className="rp-code">{details.error}</code>}
      {details.cancelled === true && <p>{messages.stopped}</p>}
      <dl className="rp-facts">
        <div>
          <dt>{sync.commit}</dt>
          <dd>
            {sha === undefined && <span className="rp-quiet">{sync.noCommit}</span>}
            {sha !== undefined && group.type === 'github' && (
              <ExternalLink address={`${codeHost}/${repository}/commit/${sha}`} copyLabel={messages.copyCommit}>
                <code>{sha.slice(0, 10)}</code>
              </ExternalLink>
            )}
            {sha !== undefined && group.type !== 'github' && <code title={sha}>{sha.slice(0, 10)}</code>}
          </dd>
        </div>
        <div>
          <dt>{sync.by}</dt>
          <dd>{details.user ?? <span className="rp-quiet">{sync.byNobody}</span>}</dd>
        </div>
      </dl>
      {changes.length === 0 ? (
        <p className="rp-quiet">{messages.noFiles}</p>
      ) : (
        <>
          <p className="rp-label">{messages.files}</p>
          <ul className="rp-plain-list" aria-label={messages.files}>
            {shown.map(({ type, path }) => (
              <li key={path}>
                <code className="rp-code">{path}</code> <span className="rp-quiet">{messages.changes[type]}</span>
              </li>
            ))}
          </ul>
          {changes.length > shown.length && <p className="rp-quiet">{messages.more({ count: changes.length - shown.length })}</p>}
          {truncated === true && <p className="rp-quiet">{messages.truncated}</p>}
        </>
      )}
    </div>
  );
}
