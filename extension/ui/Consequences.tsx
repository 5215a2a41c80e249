import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { consequenceSentence } from '@repoless/core/messages/consequence-sentence.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import { Fold } from './Card.tsx';
import { Notice } from './Notice.tsx';
import { useList, useMessages } from './use-messages.ts';
import { useState } from 'react';

/** Whether grave consequences are confirmed, with a hint that is empty if nothing is left to confirm. */
export function useConfirmation(consequences: readonly ConsequenceOfSites[]): Confirmation & { readonly hint: string } {
  // Read here, so that the view does not wait for its messages when the consequences arrive.
  const { consequences: messages } = useMessages('access');
  const confirmation = useGraveConfirmation(consequences);
  return { ...confirmation, hint: confirmation.isConfirmed ? '' : messages.needed };
}

interface Props {
  readonly consequences: readonly ConsequenceOfSites[];
  /** The subject of a consequence without sites. */
  readonly about?: 'site' | 'organization';
  /** Absent if the view asks for confirmation itself, or does not ask yet. */
  readonly confirmation?: Confirmation;
}

/** The effects of a change on people and visitors, before it is made; grave ones are confirmed here. */
export function Consequences({ consequences, about, confirmation }: Props) {
  const messages = useMessages('access');
  const { title, confirm, which } = messages.consequences;
  const list = useList();
  if (consequences.length === 0) return null;
  return (
    <Notice tone={consequences.some(({ grave }) => grave) ? 'negative' : 'warning'} icon={Alert} title={title}>
      <ul className="rp-plain-list" aria-label={title}>
        {consequences.map((one) => {
          const sentence = consequenceSentence(messages, one, about);
          return (
            <li key={sentence}>
              <span className={one.grave ? 'rp-strong rp-value' : 'rp-value'}>{sentence}</span>
              {one.sites.length > 0 && (
                <Fold title={which({ count: one.sites.length })} of={sentence}>
                  <p className="rp-value">{list(one.sites)}</p>
                </Fold>
              )}
            </li>
          );
        })}
      </ul>
      {confirmation?.isNeeded === true && (
        <Checkbox isSelected={confirmation.isConfirmed} onChange={confirmation.confirm}>
          {confirm}
        </Checkbox>
      )}
    </Notice>
  );
}

/** Whether grave consequences are confirmed. A confirmation applies only to the consequences it was given for. */
interface Confirmation {
  readonly isNeeded: boolean;
  readonly isConfirmed: boolean;
  confirm(isConfirmed: boolean): void;
}

/** Separate from the view of consequences, which is loaded only if there are some. */
export function useGraveConfirmation(consequences: readonly ConsequenceOfSites[]): Confirmation {
  const grave = JSON.stringify(consequences.filter((one) => one.grave));
  const [confirmed, setConfirmed] = useState<string>();
  const isNeeded = grave !== '[]';
  return {
    isNeeded,
    isConfirmed: !isNeeded || confirmed === grave,
    confirm: (isConfirmed) => setConfirmed(isConfirmed ? grave : undefined),
  };
}
