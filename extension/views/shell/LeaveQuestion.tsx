import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useMessages } from '../messages/use-messages.ts';
import type { PendingLeave } from '../leaving/use-guarded.ts';

interface Props extends PendingLeave {
  /** What had the focus before the question. */
  readonly onStayed: (focused: Element | null) => void;
}

interface QuestionMessages {
  readonly title: string;
  readonly text: string;
  readonly leave: string;
  readonly stay: string;
}

/** Asked before something is lost. Escape stays. */
export function LeaveQuestion({ held, ...pending }: Props) {
  const { leave } = useMessages().general.shell;
  return held === 'saving' ? <WhileSaving {...pending} /> : <Question {...pending} messages={leave[held]} />;
}

/** Its messages are there: what saves has loaded them. */
function WhileSaving(pending: Omit<Props, 'held'>) {
  return <Question {...pending} messages={useMessages('access').leaveSaving} />;
}

function Question({ messages, onStay, onLeave, onStayed }: Omit<Props, 'held'> & { readonly messages: QuestionMessages }) {
  const [focused] = useState(() => document.activeElement);
  const question = useFocusOnArrival<HTMLDivElement>(true);
  const stay = (): void => {
    onStay();
    onStayed(focused);
  };
  return (
    <div
      className="rp-notice rp-notice-warning"
      role="alert"
      tabIndex={-1}
      ref={question}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        stay();
      }}
    >
      <div className="rp-notice-body">
        <p className="rp-notice-title">{messages.title}</p>
        <p>{messages.text}</p>
        <div className="rp-actions">
          <Button variant="secondary" onPress={stay}>
            {messages.stay}
          </Button>
          <Button variant="negative" style="outline" onPress={onLeave}>
            {messages.leave}
          </Button>
        </div>
      </div>
    </div>
  );
}
