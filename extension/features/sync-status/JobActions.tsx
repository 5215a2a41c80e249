import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { JobStatus } from '@repoless/contract/job.ts';
import { isUnderWay } from '@repoless/core/sync/sync-state.ts';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly place: BranchPlace;
  readonly branch: string;
  readonly sync: Pick<SyncPort, 'start' | 'stop'>;
  readonly status: JobStatus;
  readonly standing: SyncState;
  /** What was asked for by this site is not there any more. */
  readonly onGone: () => void;
}

/** Stop what runs, or sync again. What became of it comes with the job itself. */
export function JobActions({ place, branch, sync, status, standing, onGone }: Props) {
  const messages = useMessages('sync');
  const [asking, setAsking] = useState<'idle' | 'asked' | Failure>('idle');
  const underWay = isUnderWay(standing);
  const { name } = status;
  const act = async (): Promise<void> => {
    setAsking('asked');
    const answer = underWay && name !== undefined ? await sync.stop(place, name) : await sync.start(place, branch);
    const refused = failureOf(answer);
    setAsking(refused ?? 'idle');
    if (refused?.status === 404) onGone();
  };
  return (
    <>
      <div className="rp-actions">
        <Button
          variant="secondary"
          isDisabled={asking === 'asked'}
          aria-label={underWay ? messages.sync.stopBranch({ branch }) : messages.sync.syncBranch({ branch })}
          onPress={() => void act()}
        >
          {underWay ? messages.sync.stop : messages.sync.syncAgain}
        </Button>
      </div>
      {typeof asking === 'object' && <Explanation explained={explainFailure(messages, asking)} />}
    </>
  );
}
