import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { VersionChange } from '@repoless/core/history/change-versions.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly version: number;
  readonly isCurrent: boolean;
  readonly onForget: () => Promise<VersionChange>;
}

type Forgetting = { readonly state: 'idle' | 'asked' | 'running' } | Exclude<VersionChange, { state: 'done' }>;

/** Takes a version out of the history for good, once that is confirmed. */
export function ForgetVersion({ version, isCurrent, onForget }: Props) {
  const messages = useMessages();
  const { forget } = useMessages('history');
  const [state, setState] = useState<Forgetting>({ state: 'idle' });
  const heading = useFocusOnArrival<HTMLHeadingElement>(state.state === 'asked' ? state : undefined);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in state ? state : undefined);
  const [button, focusBack] = useFocusBack();
  const run = async (): Promise<void> => {
    setState({ state: 'running' });
    const change = await onForget();
    if (change.state !== 'done') setState(change);
  };
  if (isCurrent) return <p className="rp-quiet">{forget.isCurrent}</p>;
  if (state.state !== 'asked' && state.state !== 'running') {
    return (
      <>
        {(state.state === 'refused' || state.state === 'lost') && (
          <Explanation
            title={state.state === 'lost' ? forget.uncertain : forget.failed}
            explained={explainFailure(messages, state.failure)}
            focus={failed}
          />
        )}
        <div>
          <ActionButton ref={button} onPress={() => setState({ state: 'asked' })}>
            {forget.openOf({ version })}
          </ActionButton>
        </div>
      </>
    );
  }
  return (
    <div className="rp-restore">
      <h3 tabIndex={-1} ref={heading}>
        {forget.title({ version })}
      </h3>
      <p>{forget.text}</p>
      <div className="rp-actions">
        <Button variant="negative" isDisabled={state.state === 'running'} onPress={() => void run()}>
          {forget.now({ version })}
        </Button>
        <Button
          variant="secondary"
          onPress={() => {
            setState({ state: 'idle' });
            focusBack();
          }}
        >
          {forget.cancel}
        </Button>
      </div>
    </div>
  );
}
