import { Button } from '@adobe/react-spectrum/Button';
import { isUncertain } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { type ReactNode, useState } from 'react';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { explainHere } from './notices.tsx';

export interface RemovalMessages {
  readonly ask: string;
  /** The same to assistive technology, where the button stands several times. */
  readonly askOf: string;
  readonly title: string;
  readonly text: string;
  readonly now: string;
  readonly keep: string;
  readonly running: string;
  readonly failed: string;
  /** The same where it may be gone all the same. */
  readonly uncertain: string;
}

type Removing = { readonly state: 'no' | 'asked' | 'running' } | { readonly state: 'failed'; readonly failure: Failure };

/** Removes something permanently: button, question, result. Returns the button, absent meanwhile, and what is shown below it. */
export function useRemoval(
  texts: RemovalMessages,
  remove: () => Promise<Failure | undefined>,
  onRemoved: () => void,
): { readonly button: ReactNode; readonly notice: ReactNode } {
  const messages = useMessages();
  const [removing, setRemoving] = useState<Removing>({ state: 'no' });
  const [asking, focusBack] = useFocusBack();
  const focus = useFocusOnArrival<HTMLHeadingElement>(removing.state === 'asked' ? removing : undefined);
  const failed = useFocusOnArrival<HTMLDivElement>(removing.state === 'failed' ? removing : undefined);
  const go = async (): Promise<void> => {
    setRemoving({ state: 'running' });
    const failure = await remove();
    if (failure === undefined) return onRemoved();
    return setRemoving({ state: 'failed', failure });
  };
  const keep = (): void => {
    setRemoving({ state: 'no' });
    focusBack();
  };
  switch (removing.state) {
    case 'no': {
      const ask = (): void => setRemoving({ state: 'asked' });
      const button = (
        <Button ref={asking} variant="secondary" onPress={ask} aria-label={texts.askOf}>
          {texts.ask}
        </Button>
      );
      return { button, notice: null };
    }
    case 'running':
      return { button: null, notice: <p role="status">{texts.running}</p> };
    case 'asked': {
      const notice = (
        <div className="rp-notice rp-notice-warning">
          <div className="rp-notice-body">
            <h3 tabIndex={-1} ref={focus}>
              {texts.title}
            </h3>
            <p>{texts.text}</p>
            <div className="rp-actions">
              <Button variant="negative" onPress={() => void go()}>
                {texts.now}
              </Button>
              <Button variant="secondary" onPress={keep}>
                {texts.keep}
              </Button>
            </div>
          </div>
        </div>
      );
      return { button: null, notice };
    }
    case 'failed': {
      const notice = (
        <Explanation
          title={isUncertain(removing.failure) ? texts.uncertain : texts.failed}
          explained={explainHere(messages, removing.failure)}
          focus={failed}
        >
          <Button variant="secondary" onPress={() => void go()}>
            {messages.general.retry}
          </Button>
          <Button variant="secondary" onPress={keep}>
            {texts.keep}
          </Button>
        </Explanation>
      );
      return { button: null, notice };
    }
    default:
      return removing satisfies never;
  }
}
