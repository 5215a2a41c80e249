import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly branch: string;
  readonly standing: Extract<SyncState, { state: 'running' }>;
}

/** How far a sync is: its phase, and files of all where they are counted. */
export function JobProgressBar({ branch, standing }: Props) {
  const { sync } = useMessages('sync');
  const { processed, failed, ignored, total } = standing.progress;
  const done = Math.min(total, processed + failed + ignored);
  const files = sync.files({ done, total });
  return (
    <div className="rp-stack-tight">
      <ProgressBar
        aria-label={sync.progress({ branch })}
        label={sync.phases[standing.phase]}
        isIndeterminate={total === 0}
        value={done}
        maxValue={Math.max(1, total)}
        valueLabel={files}
        width="100%"
      />
      {standing.waitsFor !== undefined && <p className="rp-quiet">{standing.waitsFor}</p>}
    </div>
  );
}
