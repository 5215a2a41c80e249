import { Button } from '@adobe/react-spectrum/Button';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import { useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import type { StoredMoves, MoveTarget } from './stored-moves.ts';

/** A move that the tab was closed on: to be gone on with, or forgotten. */
export function UnfinishedMoveNotice({ kept, onGoOn }: { readonly kept: StoredMoves; readonly onGoOn: (target: MoveTarget) => void }) {
  const { move } = useMessages('sites');
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const [left, setLeft] = useState(() => kept.get());
  if (left === undefined) return null;
  const { target, begun } = left;
  const time = Number.isNaN(Date.parse(begun)) ? begun : dates.format(new Date(begun));
  return (
    <div className="rp-notice rp-notice-info" role="region" aria-label={move.kept.title}>
      <InfoOutline size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{move.kept.title}</p>
        <p>{move.kept.text({ count: target.names.length, to: target.to, time })}</p>
        <div className="rp-actions">
          <Button variant="accent" onPress={() => onGoOn(target)}>
            {move.kept.goOn}
          </Button>
          <Button
            variant="secondary"
            onPress={() => {
              kept.forget();
              setLeft(undefined);
            }}
          >
            {move.kept.discard}
          </Button>
        </div>
      </div>
    </div>
  );
}
