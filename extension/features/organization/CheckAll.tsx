import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useState } from 'react';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import { isUncertain } from '@repoless/core/run/uncertain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';

type Phase =
  | { readonly state: 'none' | 'starting' | 'begun' }
  | { readonly state: 'refused'; readonly failure: Failure }
  /** It may have begun. */
  | { readonly state: 'lost'; readonly failure: Failure };

/** The service's own check of all sites: begun, followed, and what it does not keep said. */
export function CheckAll({ kept }: { readonly kept: StoredStates }) {
  const messages = useMessages('sites');
  const { overview } = messages;
  const [phase, setPhase] = useState<Phase>({ state: 'none' });
  const { reading } = kept;
  if (reading.state === 'loading') return null;
  if (reading.state === 'missing') {
    return (
      <p className="rp-quiet">
        {overview.unkept.sentence} {overview.unkept.next}
      </p>
    );
  }
  if (reading.state === 'failed') return <Explanation title={overview.failed} explained={explainFailure(messages, reading.failure)} />;
  const { running } = reading.value;
  if (phase.state === 'lost' && running !== undefined) setPhase({ state: 'begun' });
  // A reading that failed does not say that a check has ended.
  const isDone = phase.state === 'begun' && reading.failure === undefined;
  const start = async (): Promise<void> => {
    setPhase({ state: 'starting' });
    const begun = await kept.start();
    if (begun.state === 'known') setPhase({ state: 'begun' });
    else setPhase(notBegun(failureOf(begun)));
  };
  return (
    <div className="rp-actions">
      <ActionButton isDisabled={running !== undefined || phase.state === 'starting'} onPress={() => void start()}>
        {overview.check.all}
      </ActionButton>
      <span className="rp-quiet" role="status">
        {running !== undefined ? overview.check.running({ done: running.done, total: running.total }) : isDone ? overview.check.done : ''}
      </span>
      {(phase.state === 'refused' || phase.state === 'lost') && (
        <Explanation
          title={phase.state === 'lost' ? overview.check.lost : overview.check.refused}
          explained={explainFailure(messages, phase.failure)}
        />
      )}
    </div>
  );
}

function notBegun(failure: Failure): Phase {
  return { state: isUncertain(failure) ? 'lost' : 'refused', failure };
}
