import { useLocale } from '@adobe/react-spectrum/Provider';
import type { JobListEntry } from '@repoless/contract/job.ts';
import { durationOf, goodDurations, groupFailures } from '@repoless/core/sync/job-history.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { durationText } from './duration-text.ts';
import { JobDetail } from './JobDetail.tsx';
import { Sparkline } from './Sparkline.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly place: BranchPlace;
  /** As the repository names it. */
  readonly branch: string;
  readonly sync: Pick<SyncPort, 'details'>;
  /** Newest first. */
  readonly jobs: readonly JobListEntry[];
  /** Scheme and host of the code host. */
  readonly codeHost: string;
}

/** The syncs of a branch that the service keeps: how long they took, why some failed, and each with what it changed. */
export function JobHistory({ group, place, branch, sync, jobs, codeHost }: Props) {
  const { syncHistory: messages } = useMessages('sync');
  const { locale } = useLocale();
  const failures = groupFailures(jobs, group.type);
  return (
    <Fold title={messages.title({ count: jobs.length })} of={branch}>
      <div className="rp-stack-tight">
        <Sparkline durations={goodDurations(jobs)} />
        {failures.length > 0 && (
          <div role="group" aria-label={messages.failures}>
            <p className="rp-strong">{messages.failures}</p>
            <ul className="rp-plain-list">
              {failures.map(({ kind, error, jobs: failed }) => (
                <li key={kind} className="rp-job-failure">
                  <span>
                    <strong>{messages.reasons[kind]}</strong> · {messages.times({ count: failed.length })}
                  </span>
                  <span className="rp-quiet">
                    {messages.last} {failed[0] !== undefined && <Age time={failed[0].time} />} · <code className="rp-code">{error}</code>
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <ul className="rp-plain-list" aria-label={messages.list({ branch })}>
          {jobs.map((job) => {
            const duration = durationOf(job);
            const state = job.state !== 'stopped' ? 'underWay' : job.error === undefined ? 'done' : 'failed';
            return (
              <li key={job.name} className="rp-past-job">
                <span className="rp-past-job-head">
                  <Badge tone={TONES[state]} text={messages.states[state]} />
                  <Age time={job.time} />
                  {duration !== undefined && (
                    <span className="rp-quiet">{messages.took({ duration: durationText(locale, duration) })}</span>
                  )}
                </span>
                <JobDetail group={group} place={place} sync={sync} job={job} codeHost={codeHost} />
              </li>
            );
          })}
        </ul>
        <p className="rp-quiet">{messages.kept}</p>
      </div>
    </Fold>
  );
}

const TONES = { underWay: 'info', done: 'positive', failed: 'negative' } as const;
