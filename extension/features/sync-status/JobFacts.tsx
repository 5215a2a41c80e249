import type { JobStatus } from '@repoless/contract/job.ts';
import { jobTime } from '@repoless/core/sync/sync-state.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Age } from '../../ui/Age.tsx';

/** Commit, age and who began the latest sync. */
export function JobFacts({ status }: { readonly status: JobStatus }) {
  const { sync } = useMessages('sync');
  const time = jobTime(status);
  if (time === undefined) return null;
  const { sha } = status.data ?? {};
  const { failed = 0, ignored = 0 } = status.progress ?? {};
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
      {failed > 0 && (
        <div>
          <dt>{sync.failed}</dt>
          <dd>{sync.fileCount({ count: failed })}</dd>
        </div>
      )}
      {ignored > 0 && (
        <div>
          <dt>{sync.ignored}</dt>
          <dd>{sync.fileCount({ count: ignored })}</dd>
        </div>
      )}
    </dl>
  );
}
