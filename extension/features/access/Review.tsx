import { Button } from '@adobe/react-spectrum/Button';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { useState } from 'react';
import { isNothing } from '@repoless/core/access/change-access.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { Phase } from './use-edit.ts';

/** The messages of a review; those of access where a view has none of its own. */
export interface ReviewMessages {
  readonly title: string;
  readonly same: string;
  readonly save: string;
  readonly back: string;
  readonly overtaken: (values: { readonly who: string | undefined }) => string;
  readonly overtakenText: string;
  /** The same where both changed the same place. */
  readonly replacedText: string;
  readonly theirs: string;
  readonly mine: string;
}

interface Props {
  readonly kind: 'site' | 'organization';
  readonly messages: ReviewMessages;
  readonly phase: Extract<Phase, { state: 'review' }>;
  readonly onSave: (confirm: boolean) => void;
  readonly onBack: () => void;
}

/** What will be stored, in words; what another person stored meanwhile; and what it costs oneself. */
export function Review({ kind, messages, phase, onSave, onBack }: Props) {
  const { review } = useMessages('access');
  const [confirmed, setConfirmed] = useState(false);
  const focus = useFocusOnArrival<HTMLHeadingElement>(phase);
  const { changes, locksOut, theirs } = phase;
  const isSame = isNothing(changes);
  const title = theirs === undefined ? messages.title : messages.overtaken({ who: theirs.by });
  return (
    <section className="rp-card" aria-labelledby="rp-access-review">
      <h2 id="rp-access-review" tabIndex={-1} ref={focus}>
        {title}
      </h2>
      {theirs !== undefined && (
        <>
          <p>{theirs.isReplaced ? messages.replacedText : messages.overtakenText}</p>
          <h3>{messages.theirs}</h3>
          <ChangeList changes={theirs.changes} label={messages.theirs} />
          <h3>{messages.mine}</h3>
        </>
      )}
      {isSame ? <p>{messages.same}</p> : <ChangeList changes={changes} label={theirs === undefined ? title : messages.mine} />}
      {locksOut && (
        <div className="rp-notice rp-notice-negative">
          <div className="rp-notice-body">
            <p className="rp-notice-title">{review.lockOut}</p>
            <p>{review.lockOutText[kind]}</p>
            <Checkbox isSelected={confirmed} onChange={setConfirmed}>
              {review.lockOutConfirm}
            </Checkbox>
          </div>
        </div>
      )}
      <div className="rp-actions">
        <Button
          variant={locksOut ? 'negative' : 'accent'}
          isDisabled={isSame || (locksOut && !confirmed)}
          onPress={() => onSave(locksOut && confirmed)}
        >
          {messages.save}
        </Button>
        <Button variant="secondary" onPress={onBack}>
          {messages.back}
        </Button>
      </div>
    </section>
  );
}
