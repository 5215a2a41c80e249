import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { isObject } from '@repoless/core/history/json-place.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';

/** A site before and after a change. */
export interface SavedStates {
  readonly before: unknown;
  readonly after: unknown;
}

interface Props {
  readonly saved: SavedStates;
  /** Another draft is at hand. It comes back without the focus, which is at what one types. */
  readonly isHidden?: boolean;
  readonly onHistory: () => void;
  /** Absent while what is stored cannot be read. */
  readonly undo?: {
    /** The site as it is now. */
    readonly held: unknown;
    /** In: the site as it is now, without the change. */
    readonly onUndo: (document: StoredDocument) => void;
  };
}

/** It is stored; the way back is previewed as every change is, and keeps what others changed since. */
export function SavedChange({ saved, isHidden = false, onHistory, undo }: Props) {
  const { form: messages } = useMessages('configuration');
  const [said, setSaid] = useState('');
  const focus = useFocusOnArrival<HTMLDivElement>(saved);
  const takeBack = ({ held, onUndo }: NonNullable<Props['undo']>): void => {
    const { before, after } = saved;
    if (!isObject(before) || !isObject(after) || !isObject(held)) return;
    const undone = undoChange(before, after, held);
    if (undone.state === 'clean') onUndo(undone.document);
    else setSaid(undone.state === 'overlaps' ? messages.undoOverlaps : messages.undone);
  };
  return (
    <div hidden={isHidden}>
      <div className="rp-notice rp-notice-info" role="status" tabIndex={-1} ref={focus}>
        <div className="rp-notice-body">
          <p className="rp-notice-title">{messages.saved}</p>
          {said !== '' && <p>{said}</p>}
          <div className="rp-actions">
            {undo !== undefined && (
              <Button variant="accent" onPress={() => takeBack(undo)}>
                {messages.undo}
              </Button>
            )}
            <Button variant="secondary" onPress={onHistory}>
              {messages.history}
            </Button>
          </div>
        </div>
      </div>
    </div>
  );
}
