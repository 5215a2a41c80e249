import { Button } from '@adobe/react-spectrum/Button';
import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import type { ReactNode } from 'react';
import { Notice } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly label: string;
  readonly done: number;
  readonly of: number;
  /** The same in words. */
  readonly count: string;
  readonly text: string;
  readonly stop: string;
  readonly isStopping: boolean;
  /** A new one for each run: the focus goes there. */
  readonly run: unknown;
  readonly onStop: () => void;
}

/** How far a run over many sites is, and the way to stop it. */
export function RunProgress({ label, done, of, count, text, stop, isStopping, run, onStop }: Props) {
  const focus = useFocusOnArrival<HTMLDivElement>(run);
  return (
    <div className="rp-running" role="group" aria-label={label} tabIndex={-1} ref={focus}>
      <ProgressBar label={label} value={done} maxValue={of} valueLabel={count} width="100%" />
      <div className="rp-running-foot">
        <p>{text}</p>
        <Button variant="secondary" isDisabled={isStopping} onPress={onStop}>
          {stop}
        </Button>
      </div>
    </div>
  );
}

interface ReadingProgressProps {
  /** What is read, with how far it is. */
  readonly text: string;
  readonly read: number;
  readonly all: number;
  readonly onCancel: () => void;
}

/** A reading of many sites before a plan: how far it is, and the way to give it up. */
export function ReadingProgress({ text, read, all, onCancel }: ReadingProgressProps) {
  const { production } = useMessages('sites');
  return (
    <div className="rp-running">
      <ProgressBar label={text} value={read} maxValue={all} showValueLabel={false} width="100%" />
      <div className="rp-running-foot">
        <Button variant="secondary" onPress={onCancel}>
          {production.cancel}
        </Button>
      </div>
    </div>
  );
}

interface UnfinishedNoticeProps {
  readonly title: string;
  /** ISO 8601; as it is if it is not. */
  readonly begun: string;
  readonly text: (time: string) => string;
  readonly discard: string;
  readonly onDiscard: () => void;
  /** What stands below the text. */
  readonly more?: ReactNode;
  /** The ways to continue, before the one that discards it. */
  readonly children: ReactNode;
}

/** A run during which the tab was closed: to be continued, or discarded. */
export function UnfinishedNotice({ title, begun, text, discard, onDiscard, more, children }: UnfinishedNoticeProps) {
  const time = useBegun(begun);
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
          <Button variant="secondary" onPress={onDiscard}>
            {discard}
          </Button>
        </>
      }
    >
      <p>{text(time)}</p>
      {more}
    </Notice>
  );
}

/** When a run was started, to be read. In: ISO 8601; as it is if it is not. */
export function useBegun(begun: string): string {
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  return Number.isNaN(Date.parse(begun)) ? begun : dates.format(new Date(begun));
}
