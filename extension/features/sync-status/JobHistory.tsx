import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useLocale } from '@adobe/react-spectrum/Provider';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import type { JobDetails, JobListEntry } from '@repoless/contract/job.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { durationOf, goodDurations, groupFailures, sparkline } from '@repoless/core/sync/sync-state.ts';
import { useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Card.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { JobUser, SyncedCommitName } from './Commits.tsx';
import type { FollowedBranch } from './use-job.ts';

type Props = Pick<FollowedBranch, 'group' | 'siteRef' | 'sync' | 'codeHost'>;

interface HistoryProps extends Props, Pick<FollowedBranch, 'branch'> {
  /** Newest first. */
  readonly jobs: readonly JobListEntry[];
}

export function JobHistory({ branch, jobs, ...followed }: HistoryProps) {
  const all = useMessages('sync');
  const { sync: texts, syncHistory: messages } = all;
  const { locale } = useLocale();
  const failures = groupFailures(jobs, followed.group.type);
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
                    {messages.last} {failed[0] !== undefined && <Age time={failed[0].time} />} · {codeText(all, error)}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <ul className="rp-plain-list" aria-label={messages.list({ branch })}>
          {jobs.map((job) => {
            const duration = durationOf(job);
            const ended = job.cancelled === true ? 'stopped' : job.error === undefined ? 'done' : 'failed';
            const state = job.state === 'stopped' ? ended : 'inProgress';
            return (
              <li key={job.name} className="rp-past-job">
                <span className="rp-past-job-head">
                  <Badge tone={TONES[state]} text={state === 'stopped' ? texts.syncStates.stopped : messages.states[state]} />
                  <Age time={job.time} />
                  {duration !== undefined && (
                    <span className="rp-quiet">{messages.took({ duration: durationText(locale, duration) })}</span>
                  )}
                </span>
                <JobDetail {...followed} job={job} />
              </li>
            );
          })}
        </ul>
        <p className="rp-quiet">{messages.kept}</p>
      </div>
    </Fold>
  );
}

const TONES = { inProgress: 'info', done: 'positive', failed: 'negative', stopped: 'neutral' } as const;

interface JobDetailProps extends Props {
  readonly job: JobListEntry;
}

/** Maximum number of files shown. */
const SHOWN = 20;

/** The changes of a sync, its commit and its initiator, read on request. */
function JobDetail({ group, siteRef, sync, job, codeHost }: JobDetailProps) {
  const { syncHistory: messages } = useMessages('sync');
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'medium' });
  const [reading, setReading] = useState<Known<JobDetails> | { readonly state: 'loading' }>();
  const read = async (): Promise<void> => {
    setReading({ state: 'loading' });
    setReading(await sync.details(siteRef, job.name));
  };
  if (reading === undefined)
    return (
      <ActionButton isQuiet aria-label={messages.detailsOf({ when: dates.format(new Date(job.time)) })} onPress={() => void read()}>
        {messages.details}
      </ActionButton>
    );
  if (reading.state !== 'known')
    return <Unread reading={reading} loading={messages.reading} missing={messages.missing} onRetry={() => void read()} />;
  return <JobFacts details={reading.value} group={group} codeHost={codeHost} />;
}

function JobFacts({ details, group, codeHost }: { readonly details: JobDetails } & Pick<JobDetailProps, 'group' | 'codeHost'>) {
  const all = useMessages('sync');
  const { sync, syncHistory: messages } = all;
  const { sha, commit, changes, truncated } = details.data;
  const shown = changes.slice(0, SHOWN);
  const by = <JobUser user={details.user} />;
  const name = <SyncedCommitName sha={sha} about={commit} group={group} codeHost={codeHost} />;
  return (
    <div className="rp-stack-tight rp-past-job-facts" role="status">
      {details.error !== undefined && <p>{codeText(all, details.error)}</p>}
      {details.cancelled === true && <p>{messages.stopped}</p>}
      <Facts
        className="rp-facts"
        rows={[
          [sync.commit, name],
          [sync.by, by],
        ]}
      />
      {changes.length === 0 && truncated !== true && <p className="rp-quiet">{messages.noFiles}</p>}
      {changes.length > 0 && (
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

const WIDTH = 160;
const HEIGHT = 32;

/** The durations of syncs, oldest first: a line, and the same as text. A line requires two. */
function Sparkline({ durations }: { readonly durations: readonly number[] }) {
  const { syncHistory: messages } = useMessages('sync');
  const { locale } = useLocale();
  const latest = durations.at(-1);
  if (durations.length < 2 || latest === undefined) return null;
  const say = (duration: number): string => durationText(locale, duration);
  const text = messages.trend({
    shortest: say(Math.min(...durations)),
    longest: say(Math.max(...durations)),
    latest: say(latest),
  });
  return (
    <figure className="rp-spark">
      <svg
        viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`${messages.durations}. ${text}`}
      >
        <polyline points={sparkline(durations, WIDTH, HEIGHT)} />
      </svg>
      <figcaption className="rp-quiet" aria-hidden="true">
        {text}
      </figcaption>
    </figure>
  );
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A duration in milliseconds, printed in a suitable unit. */
function durationText(locale: string, duration: number): string {
  const say = (unit: 'second' | 'minute', value: number): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value);
  return duration < 2 * MINUTE ? say('second', duration / SECOND) : say('minute', duration / MINUTE);
}
