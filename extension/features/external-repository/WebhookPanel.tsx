import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { type Delivery, type ExternalRepository, GitVendor, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, type Known } from '@repoless/core/situation/call.ts';
import type { Arrival } from '@repoless/core/sync/compare-code.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Age } from '../../ui/Age.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Once } from '../../ui/Once.tsx';
import { useFocusBack } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { Question, WriteFailed } from '../../ui/Question.tsx';

interface Props {
  readonly repository: ExternalRepository;
  readonly rotate: () => Promise<Known<WebhookCredentials>>;
  /** New credentials were created: the repository must be read again. */
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
  const printed = (time: string): string => dates.format(new Date(time));
  const { webhook } = repository;
  const vendor = GitVendor.catch('other').parse(repository.vendor);
  useUnsavedEntry(making.state === 'making', 'place', 'making');
  const [button, focusBack] = useFocusBack();
  const confirms = webhook !== undefined && (making.state === 'confirm' || making.state === 'making');
  const make = async (): Promise<void> => {
    setMaking({ state: 'making' });
    const rotated = await rotate();
    setMaking(rotated.state === 'known' ? { state: 'made', credentials: rotated.value } : { state: 'failed', failure: failureOf(rotated) });
    onChanged();
  };
  return (
    <div className="rp-paste">
      <p className="rp-quiet">{messages.text}</p>
      {webhook === undefined && <p>{messages.none}</p>}
      {webhook !== undefined && making.state !== 'made' && <p>{messages.shownOnce}</p>}
      {webhook !== undefined && (
        <Facts
          className="rp-facts rp-facts-wide"
          rows={[
            [messages.made, printed(webhook.created)],
            [messages.previous, webhook.previousValidUntil === undefined ? undefined : printed(webhook.previousValidUntil)],
          ]}
        />
      )}
      {making.state === 'made' && (
        <Once title={messages.onceTitle} text={`${messages.onceText} ${messages.places[vendor]}`} rows={credentialRows(making.credentials)}>
          <TextButton
            onPress={() => {
              setMaking({ state: 'no' });
              focusBack();
            }}
            text={messages.done}
          />
        </Once>
      )}
      {confirms && (
        <Question
          level={4}
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
      {!confirms && making.state !== 'made' && (
        <div className="rp-actions">
          {webhook === undefined ? (
            <TextButton
              key="make"
              variant="accent"
              isDisabled={making.state === 'making'}
              onPress={() => void make()}
              text={making.state === 'making' ? messages.making : messages.make}
            />
          ) : (
            <TextButton key="rotate" ref={button} onPress={() => setMaking({ state: 'confirm' })} text={messages.rotate} />
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

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[];
  readonly arrival: Arrival;
  readonly resend: (delivery: string) => Promise<Known<Delivery>>;
  /** One was sent again: the deliveries must be read again. */
  readonly onChanged: () => void;
}

const FIRST = 5;

export function Deliveries({ deliveries, arrival, resend, onChanged }: DeliveriesProps) {
  const messages = useMessages('sync').external.deliveries;
  const [shown, setShown] = useState(FIRST);
  if (deliveries.length === 0) return <p>{messages.empty[arrival]}</p>;
  return (
    <>
      <ul className="rp-plain-list rp-deliveries" aria-label={messages.title}>
        {deliveries.slice(0, shown).map((delivery) => (
          <Line key={delivery.id} delivery={delivery} resend={resend} onChanged={onChanged} />
        ))}
      </ul>
      {deliveries.length > shown && (
        <div>
          <ActionButton isQuiet onPress={() => setShown(deliveries.length)}>
            {messages.more({ count: deliveries.length - shown })}
          </ActionButton>
        </div>
      )}
    </>
  );
}

interface LineProps extends Pick<DeliveriesProps, 'resend' | 'onChanged'> {
  readonly delivery: Delivery;
}

function Line({ delivery, resend, onChanged }: LineProps) {
  const messages = useMessages('sync');
  const { deliveries: texts } = messages.external;
  const [sending, setSending] = useState<'no' | 'yes' | Failure>('no');
  const { event, changes, outcome, detail, attempts, received, user } = delivery;
  const branches =
    changes.map(({ branch, type }) => (type === 'deleted' ? texts.branchDeleted({ branch }) : branch)).join(', ') || texts.noBranch;
  const commit = changes.find((change) => change.commit !== undefined)?.commit;
  const send = async (): Promise<void> => {
    setSending('yes');
    const sent = await resend(delivery.id);
    setSending(sent.state === 'failed' ? sent.failure : 'no');
    onChanged();
  };
  return (
    <li className="rp-branch">
      <div className="rp-branch-head">
        <span className="rp-strong rp-code">{branches}</span>
        <StatusLight variant={TONES[outcome]} UNSAFE_className="rp-row-light">
          {texts.outcomes[outcome]}
        </StatusLight>
      </div>
      <p className="rp-quiet">
        {event} · <Age time={received} />
        {commit !== undefined && (
          <>
            {' · '}
            <code title={commit}>{commit.slice(0, 10)}</code>
          </>
        )}
        {attempts > 1 && ` · ${texts.attempts({ count: attempts })}`}
        {user !== undefined && ` · ${user}`}
      </p>
      {detail !== undefined && <p>{codeText(messages, detail)}</p>}
      <div>
        <ActionButton
          isDisabled={sending === 'yes'}
          {...(sending === 'yes' ? {} : { 'aria-label': texts.resendOf({ event, branches }) })}
          onPress={() => void send()}
        >
          {sending === 'yes' ? texts.resending : texts.resend}
        </ActionButton>
      </div>
      {typeof sending === 'object' && <FailureNotice messages={messages} failure={sending} />}
    </li>
  );
}

const TONES = { accepted: 'info', done: 'positive', ignored: 'neutral', refused: 'negative', failed: 'negative' } as const;
