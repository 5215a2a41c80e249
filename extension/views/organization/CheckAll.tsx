import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useState } from 'react';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { KeptStates } from '../shared/use-kept-checks.ts';

/** The service's own check of all sites: begun, followed, and what it does not keep said. */
export function CheckAll({ kept }: { readonly kept: KeptStates }) {
  const messages = useMessages('sites');
  const { overview } = messages;
  const [phase, setPhase] = useState<'none' | 'starting' | 'begun'>('none');
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
  const start = async (): Promise<void> => {
    setPhase('starting');
    await kept.start();
    setPhase('begun');
  };
  return (
    <div className="rp-actions">
      <ActionButton isDisabled={running !== undefined || phase === 'starting'} onPress={() => void start()}>
        {overview.check.all}
      </ActionButton>
      <span className="rp-quiet" role="status">
        {running !== undefined ? overview.check.running(running.done, running.total) : phase === 'begun' ? overview.check.done : ''}
      </span>
    </div>
  );
}
