import { Suspense, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { type PendingLeave, useGuarded } from '../../ui/use-guarded.ts';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props extends PendingLeave {
  /** The element that had focus before the question. */
  readonly onStayed: (focused: Element | null) => void;
}

interface QuestionMessages {
  readonly title: string;
  readonly text: string;
  readonly leave: string;
  readonly stay: string;
}

/** Shown before something is lost. Escape means stay. */
export function LeaveQuestion({ held, ...more }: Props) {
  const { leave } = useMessages().general.shell;
  const [focused] = useState(() => document.activeElement);
  if (held !== 'saving' && held !== 'making') return <Question {...more} focused={focused} messages={leave[held]} />;
  return (
    <Suspense fallback={null}>
      <WhileSending {...more} focused={focused} held={held} />
    </Suspense>
  );
}

interface QuestionProps extends Omit<Props, 'held'> {
  readonly focused: Element | null;
}

function WhileSending({ held, ...question }: QuestionProps & { readonly held: 'saving' | 'making' }) {
  return <Question {...question} messages={useMessages('leaving').leaving[held]} />;
}

function Question({ messages, focused, onStay, onLeave, onStayed }: QuestionProps & { readonly messages: QuestionMessages }) {
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
          <TextButton onPress={stay} text={messages.stay} />
          <TextButton variant="negative" style="outline" onPress={onLeave} text={messages.leave} />
        </div>
      </div>
    </div>
  );
}

/** The question for a view without a shell and without other places. */
export function LeaveQuestionWithoutShell() {
  const { question } = useGuarded('', '');
  if (question === undefined) return null;
  return (
    <LeaveQuestion
      {...question}
      onStayed={(focused) => {
        if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
      }}
    />
  );
}
