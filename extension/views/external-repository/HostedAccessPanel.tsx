import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { ExternalRepository, HostedAccess } from '#contract/build-management.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { failureOf } from '#extension/setup/failure-of.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { useFocusBack } from '../shared/use-focus-back.ts';
import { useMessages } from '../messages/use-messages.ts';
import { hostedRows } from './hosted-rows.ts';
import { Once } from './Once.tsx';
import { Question } from './Question.tsx';
import { WriteFailed } from './WriteFailed.tsx';

interface Props {
  readonly repository: ExternalRepository;
  readonly renew: () => Promise<Known<HostedAccess>>;
}

type Renewing =
  | { readonly state: 'no' | 'confirm' | 'making' }
  | { readonly state: 'made'; readonly access: HostedAccess }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Where git finds a hosted repository, and a new access token in the place of one that was lost. */
export function HostedAccessPanel({ repository, renew }: Props) {
  const { hosted: messages, lost } = useMessages('sync').external;
  const [renewing, setRenewing] = useState<Renewing>({ state: 'no' });
  const asks = renewing.state === 'confirm' || renewing.state === 'making';
  const [button, focusBack] = useFocusBack();
  const make = async (): Promise<void> => {
    setRenewing({ state: 'making' });
    const made = await renew();
    if (made.state === 'known') setRenewing({ state: 'made', access: made.value });
    else setRenewing({ state: 'failed', failure: failureOf(made) });
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.accessText}</p>
      {renewing.state === 'made' ? (
        <Once title={messages.onceTitle} text={messages.onceText} rows={hostedRows(messages, renewing.access)}>
          <Button
            variant="secondary"
            onPress={() => {
              setRenewing({ state: 'no' });
              focusBack();
            }}
          >
            {messages.done}
          </Button>
        </Once>
      ) : (
        <>
          <div>
            <CopyButton text={repository.cloneUrl} label={messages.copyCloneUrl} />
          </div>
          {asks ? (
            <Question
              title={messages.renewTitle}
              text={messages.renewText}
              yes={messages.renewConfirm}
              no={messages.renewCancel}
              isNegative
              doing={renewing.state === 'making' ? messages.renewing : undefined}
              onYes={() => void make()}
              onNo={() => {
                setRenewing({ state: 'no' });
                focusBack();
              }}
            />
          ) : (
            <div className="rp-actions">
              <Button ref={button} variant="secondary" onPress={() => setRenewing({ state: 'confirm' })}>
                {messages.renew}
              </Button>
            </div>
          )}
        </>
      )}
      {renewing.state === 'failed' && <WriteFailed failure={renewing.failure} lost={lost.token} />}
    </div>
  );
}
