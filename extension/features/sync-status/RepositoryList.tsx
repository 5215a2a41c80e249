import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import type { OverviewRow, RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { syncStateOf } from '@repoless/core/sync/sync-state.ts';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { syncStateTone, useJob } from './use-job.ts';

interface Props {
  readonly rows: readonly OverviewRow[];
  readonly calledOf: (group: RepositoryGroup) => string;
  readonly organization: string;
  readonly sync: Pick<SyncPort, 'watch'>;
  /** The row of the last opened repository. */
  readonly left: string | undefined;
  readonly onOpen: (row: OverviewRow) => void;
}

/** The repositories with the state of their main branch, and the sites found by the search; pressing a row opens the repository. */
export function RepositoryList({ rows, calledOf, organization, sync, left, onOpen }: Props) {
  const messages = useMessages('sync').sync;
  return (
    <WindowedList
      label={messages.repositories}
      rows={rows}
      idOf={({ id }) => id}
      rowHeight={ROW}
      height={HEIGHT}
      {...(left === undefined ? {} : { left })}
    >
      {(row, tabIndex) => (
        <button type="button" className={`rp-row rp-row-${row.kind}`} tabIndex={tabIndex} onClick={() => onOpen(row)}>
          {row.kind === 'site' ? (
            <span className="rp-row-name">{row.site}</span>
          ) : (
            <>
              <span className="rp-row-name">{calledOf(row.group)}</span>
              <span className="rp-row-line">
                <span className="rp-quiet">{messages.siteCount({ count: row.group.sites.length })}</span>
                <MainBranch group={row.group} organization={organization} sync={sync} />
              </span>
            </>
          )}
        </button>
      )}
    </WindowedList>
  );
}

const ROW = 58;
const HEIGHT = 522;

interface MainBranchProps {
  readonly group: RepositoryGroup;
  readonly organization: string;
  readonly sync: Pick<SyncPort, 'watch'>;
}

function MainBranch({ group, organization, sync }: MainBranchProps) {
  const messages = useMessages('sync').sync;
  const [job] = useJob(sync, { org: organization, site: group.sites[0] ?? '', ref: DEFAULT_REF });
  if (job.state === 'loading') return <span className="rp-quiet">…</span>;
  if (job.state === 'failed' || job.failed?.isOver === true) return <span className="rp-quiet">{messages.jobUnread}</span>;
  const standing = syncStateOf(job.status, group.type);
  return (
    <StatusLight variant={syncStateTone(standing)} UNSAFE_className="rp-row-light">
      {messages.standings[standing.state]}
    </StatusLight>
  );
}
