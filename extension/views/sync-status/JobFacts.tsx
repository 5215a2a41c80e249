import type { JobStatus } from '#contract/job.ts';
import { jobTime } from '#extension/setup/sync/job-standing.ts';
import { useSyncWords } from './use-sync-words.ts';
import { Age } from '../shared/Age.tsx';

/** Commit, age and who began the latest sync. */
export function JobFacts({ status }: { readonly status: JobStatus }) {
  const { sync } = useSyncWords();
  const time = jobTime(status);
  if (time === undefined) return null;
  const { sha } = status.data ?? {};
  const leftOut = status.progress === undefined ? '' : sync.leftOut(status.progress.failed, status.progress.ignored);
  return (
    <dl className="rp-facts">
      <div>
        <dt>{sync.commit}</dt>
        <dd>{sha === undefined ? <span className="rp-quiet">{sync.noCommit}</span> : <code title={sha}>{sha.slice(0, 10)}</code>}</dd>
      </div>
      <div>
        <dt>{sync.when}</dt>
        <dd>
          <Age time={time} />
        </dd>
      </div>
      <div>
        <dt>{sync.by}</dt>
        <dd>{status.user ?? <span className="rp-quiet">{sync.byNobody}</span>}</dd>
      </div>
      {leftOut !== '' && (
        <div>
          <dt>{sync.left}</dt>
          <dd>{leftOut}</dd>
        </div>
      )}
    </dl>
  );
}
