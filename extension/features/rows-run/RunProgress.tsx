import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import type { ReactNode } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { usePrintedTime } from '../../ui/Age.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly label: string;
  readonly done: number;
  readonly of: number;
  readonly count: string;
  readonly text: string;
  readonly stop: string;
  readonly isStopping: boolean;
  /** Changed for each run, which moves focus here. */
  readonly run: unknown;
  readonly onStop: () => void;
}

export function RunProgress({ label, done, of, count, text, stop, isStopping, run, onStop }: Props) {
  const focus = useFocusOnArrival<HTMLDivElement>(run);
  return (
    <div className="rp-running" role="group" aria-label={label} tabIndex={-1} ref={focus}>
      <ProgressBar label={label} value={done} maxValue={of} valueLabel={count} width="100%" />
      <div className="rp-running-foot">
        <p>{text}</p>
        <TextButton isDisabled={isStopping} onPress={onStop} text={stop} />
      </div>
    </div>
  );
}

interface ReadingProgressProps {
  readonly text: string;
  readonly read: number;
  readonly all: number;
  readonly onCancel: () => void;
}

/** Takes focus, because the button that started it is no longer there. */
export function ReadingProgress({ text, read, all, onCancel }: ReadingProgressProps) {
  const { production } = useMessages('sites');
  const focus = useFocusOnArrival<HTMLDivElement>('reading');
  return (
    <div className="rp-running" role="group" aria-label={text} tabIndex={-1} ref={focus}>
      <ProgressBar label={text} value={read} maxValue={all} showValueLabel={false} width="100%" />
      <div className="rp-running-foot">
        <TextButton onPress={onCancel} text={production.cancel} />
      </div>
    </div>
  );
}

interface UnfinishedNoticeProps {
  readonly title: string;
  /** ISO 8601; anything else is shown unchanged. */
  readonly started: string;
  readonly text: (time: string) => string;
  readonly discard: string;
  readonly onDiscard: () => void;
  readonly more?: ReactNode;
  /** The buttons that continue it, before the one that discards it. */
  readonly children: ReactNode;
}

/** A run during which the tab was closed: to be continued, or discarded. */
export function UnfinishedNotice({ title, started, text, discard, onDiscard, more, children }: UnfinishedNoticeProps) {
  const printTime = usePrintedTime();
  return (
    <Notice
      tone="info"
      icon={InfoOutline}
      role="region"
      label={title}
      title={title}
      actions={
        <>
          {children}
          <TextButton onPress={onDiscard} text={discard} />
        </>
      }
    >
      <p>{text(printTime(started))}</p>
      {more}
    </Notice>
  );
}
