import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useMessages } from '../../ui/use-messages.ts';

interface Props<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  readonly children: (row: R) => ReactNode;
}

/** So many rows are drawn at first, and with each step. */
const STEP = 50;

/** A list of rows of any height, of which more are drawn when they are wanted. */
export function GrowingList<R>({ label, rows, idOf, children }: Props<R>) {
  const { rollouts: messages } = useMessages('rollouts');
  const [shown, setShown] = useState(STEP);
  const list = useRef<HTMLUListElement>(null);
  const left = rows.length - shown;
  const grow = (): void => {
    setShown(shown + STEP);
    // The button goes with the last rows.
    if (left <= STEP) list.current?.focus();
  };
  return (
    <>
      <ul className="rp-plain-list rp-growing" aria-label={label} tabIndex={-1} ref={list}>
        {rows.slice(0, shown).map((row) => (
          <li key={idOf(row)}>{children(row)}</li>
        ))}
      </ul>
      {left > 0 && (
        <div className="rp-actions">
          <ActionButton onPress={grow}>{messages.preview.more({ count: Math.min(STEP, left) })}</ActionButton>
        </div>
      )}
    </>
  );
}
