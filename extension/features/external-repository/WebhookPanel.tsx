import { Button } from '@adobe/react-spectrum/Button';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useState } from 'react';
import { GitVendor } from '@repoless/contract/build-management.ts';
import type { ExternalRepository, WebhookCredentials } from '@repoless/contract/build-management.ts';
import type { Failure, Known } from '@repoless/core/situation/situation.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Once } from './Once.tsx';
import { Question } from './Question.tsx';
import { WriteFailed } from './WriteFailed.tsx';

interface Props {
  readonly repository: ExternalRepository;
  readonly rotate: () => Promise<Known<WebhookCredentials>>;
  /** New credentials were made: read the repository again. */
  readonly onChanged: () => void;
}

type Making =
  | { readonly state: 'no' | 'confirm' | 'making' }
  | { readonly state: 'made'; readonly credentials: WebhookCredentials }
  | { readonly state: 'failed'; readonly failure: Failure };

/**
 * Whether there is a webhook, and its credentials when they are created. The URL contains a key, so it is shown only with them:
 * events sent to a URL without the key are refused.
 */
export function WebhookPanel({ repository, rotate, onChanged }: Props) {
  const { webhook: messages, lost } = useMessages('sync').external;
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'short' });
  const [making, setMaking] = useState<Making>({ state: 'no' });
  const { webhook } = repository;
  const vendor = GitVendor.catch('other').parse(repository.vendor);
  useUnsavedEntry(making.state === 'making', 'place', 'making');
  const [button, focusBack] = useFocusBack();
  const asks = webhook !== undefined && (making.state === 'confirm' || making.state === 'making');
  const make = async (): Promise<void> => {
    setMaking({ state: 'making' });
    const made = await rotate();
    if (made.state === 'known') setMaking({ state: 'made', credentials: made.value });
    else setMaking({ state: 'failed', failure: failureOf(made) });
    onChanged();
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.text}</p>
      {webhook === undefined && <p>{messages.none}</p>}
      {webhook !== undefined && making.state !== 'made' && <p>{messages.shownOnce}</p>}
      {webhook !== undefined && (
        <dl className="rp-facts rp-facts-wide">
          <div>
            <dt>{messages.made}</dt>
            <dd>{dates.format(new Date(webhook.created))}</dd>
          </div>
          {webhook.previousValidUntil !== undefined && (
            <div>
              <dt>{messages.previous}</dt>
              <dd>{dates.format(new Date(webhook.previousValidUntil))}</dd>
            </div>
          )}
        </dl>
      )}
      {making.state === 'made' && (
        <Once title={messages.onceTitle} text={`${messages.onceText} ${messages.places[vendor]}`} rows={credentialRows(making.credentials)}>
          <Button
            variant="secondary"
            onPress={() => {
              setMaking({ state: 'no' });
              focusBack();
            }}
          >
            {messages.done}
          </Button>
        </Once>
      )}
      {asks && (
        <Question
          title={messages.rotateTitle}
          text={messages.rotateText}
          yes={messages.rotateConfirm}
          no={messages.rotateCancel}
          isNegative={false}
          doing={making.state === 'making' ? messages.making : undefined}
          onYes={() => void make()}
          onNo={() => {
            setMaking({ state: 'no' });
            focusBack();
          }}
        />
      )}
      {!asks && making.state !== 'made' && (
        <div className="rp-actions">
          {webhook === undefined ? (
            <Button key="make" variant="accent" isDisabled={making.state === 'making'} onPress={() => void make()}>
              {making.state === 'making' ? messages.making : messages.make}
            </Button>
          ) : (
            <Button key="rotate" ref={button} variant="secondary" onPress={() => setMaking({ state: 'confirm' })}>
              {messages.rotate}
            </Button>
          )}
        </div>
      )}
      {making.state === 'failed' && <WriteFailed failure={making.failure} lost={lost.webhook} />}
    </div>
  );

  function credentialRows({ address, secret, username }: WebhookCredentials) {
    return [
      { name: messages.address, value: address, copy: messages.copyAddress },
      ...(vendor === 'azure-devops' ? [{ name: messages.username, value: username, copy: messages.copyUsername }] : []),
      { name: messages.secret, value: secret, copy: messages.copySecret },
    ];
  }
}
