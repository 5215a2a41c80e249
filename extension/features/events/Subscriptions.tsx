import type { CreatedSubscription, DeliveryState, EventDelivery, Subscription } from '@repoless/contract/event.ts';
import { type EventsPort, unsubscribe } from '@repoless/core/events/events-port.ts';
import { type Failure, failureOf, isUncertain } from '@repoless/core/situation/call.ts';
import { useCallback, useRef, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card } from '../../ui/Card.tsx';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import { Once } from '../../ui/Once.tsx';
import { Question } from '../../ui/Question.tsx';
import { useFocusRestore } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { SubscribeForm } from './SubscribeForm.tsx';
import { Age } from '../../ui/Age.tsx';

export function Subscriptions({ port, organization }: { readonly port: EventsPort; readonly organization: string }) {
  const { subscriptions } = useMessages('sites').events;
  const read = useCallback(() => port.subscriptions(organization), [port, organization]);
  const [reading, reload] = useReading(read);
  const [adding, setAdding] = useState(false);
  const [created, setCreated] = useState<CreatedSubscription>();
  const [announcement, setAnnouncement] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = reading.state === 'ready' ? reading.value : [];
  const finish = (text: string): void => {
    setAdding(false);
    setCreated(undefined);
    setAnnouncement(text);
    heading.current?.focus();
  };
  const isForbidden = reading.state === 'failed' && reading.failure.status === 403;
  return (
    <Card id="rp-subscriptions" title={subscriptions.title} heading={heading}>
      <p className="rp-quiet">{isForbidden ? subscriptions.notAllowed : subscriptions.text}</p>
      {reading.state === 'failed' && !isForbidden && <FailureNotice title={subscriptions.failed} failure={reading.failure} />}
      {reading.state === 'ready' && list.length === 0 && <p className="rp-empty">{subscriptions.empty}</p>}
      {list.length > 0 && (
        <ul className="rp-plain-list" aria-label={subscriptions.title}>
          {list.map((subscription) => (
            <SubscriptionLine
              key={subscription.id}
              port={port}
              organization={organization}
              subscription={subscription}
              onRemoved={(to) => {
                finish(subscriptions.removed({ to }));
                reload();
              }}
            />
          ))}
        </ul>
      )}
      {created?.secret !== undefined && (
        <Once
          level={3}
          title={subscriptions.onceTitle}
          text={subscriptions.onceText}
          rows={[{ name: subscriptions.secret, value: created.secret, copy: subscriptions.copySecret }]}
        >
          <div className="rp-actions">
            <TextButton variant="accent" onPress={() => finish('')} text={subscriptions.done} />
          </div>
        </Once>
      )}
      {adding && (
        <SubscribeForm
          port={port}
          organization={organization}
          onUncertain={reload}
          onCancel={() => finish('')}
          onCreated={(subscription) => {
            finish(subscriptions.made({ to: recipientOf(subscription) }));
            if (subscription.secret !== undefined) setCreated(subscription);
            reload();
          }}
        />
      )}
      {reading.state === 'ready' && !adding && created === undefined && (
        <div className="rp-actions">
          <TextButton
            onPress={() => {
              setAnnouncement('');
              setAdding(true);
            }}
            text={subscriptions.make}
          />
        </div>
      )}
      <Status>{announcement}</Status>
    </Card>
  );
}

interface SubscriptionLineProps extends DeliveriesProps {
  readonly onRemoved: (to: string) => void;
}

function SubscriptionLine({ port, organization, subscription, onRemoved }: SubscriptionLineProps) {
  const messages = useMessages('sites');
  const { kinds: names, subscriptions } = messages.events;
  const [failed, setFailed] = useState<{ readonly title: string; readonly failure: Failure }>();
  const noticeRef = useFocusRestore<HTMLDivElement>(failed);
  const [shown, setShown] = useState(false);
  const [removing, setRemoving] = useState<'no' | 'requested' | 'declined'>('no');
  const [tests, setTests] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const { id, kinds, sites, channel, createdBy, withheld } = subscription;
  const to = recipientOf(subscription);
  const remove = async (): Promise<void> => {
    const failure = await unsubscribe(port, organization, id);
    if (failure === undefined) return onRemoved(to);
    setRemoving('no');
    return setFailed({ title: isUncertain(failure) ? subscriptions.maybeRemoved : subscriptions.removeFailed, failure });
  };
  const test = async (): Promise<void> => {
    setAnnouncement('');
    const answer = await port.sendTest(organization, id);
    const failure = failureOf(answer);
    const isLost = failure !== undefined && isUncertain(failure);
    setFailed(failure && { title: isLost ? subscriptions.maybeTested : subscriptions.testFailed, failure });
    if (failure !== undefined && !isLost) return;
    setTests(tests + 1);
    setShown(true);
    if (!isLost) setAnnouncement(subscriptions.tested);
  };
  const what = kinds === undefined ? subscriptions.everything : kinds.map((kind) => names[kind]);
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">{to}</strong>
            <Badge tone="neutral" text={channel.type === 'email' ? subscriptions.email : subscriptions.webhook} />
            {channel.type === 'email' && <Badge tone="neutral" text={subscriptions[channel.digest]} />}
            {withheld === true && <Badge tone="notice" text={subscriptions.withheld} />}
          </span>
          <span className="rp-quiet">{subscriptions.of({ what, where: sites === undefined ? subscriptions.allSites : sites })}</span>
          <span className="rp-quiet rp-value">{subscriptions.by({ who: createdBy })}</span>
          {withheld === true && <span>{subscriptions.withheldText}</span>}
        </div>
        <div className="rp-actions">
          <TextButton aria-label={subscriptions.testOf({ to })} onPress={() => void test()} text={subscriptions.test} />
          <TextButton aria-expanded={shown} onPress={() => setShown(!shown)} text={subscriptions.deliveries} />
          {removing !== 'requested' && (
            <TextButton
              autoFocus={removing === 'declined'}
              aria-label={subscriptions.removeOf({ to })}
              onPress={() => {
                setRemoving('requested');
                setFailed(undefined);
                setAnnouncement('');
              }}
              text={subscriptions.remove}
            />
          )}
        </div>
      </div>
      {removing === 'requested' && (
        <Question
          title={subscriptions.removeTitle({ to })}
          text={subscriptions.removeText}
          yes={subscriptions.removeNow}
          no={subscriptions.keep}
          onYes={() => void remove()}
          onNo={() => setRemoving('declined')}
        />
      )}
      {failed !== undefined && <FailureNotice title={failed.title} failure={failed.failure} focus={noticeRef} />}
      <Status>{announcement}</Status>
      {shown && <Deliveries key={tests} port={port} organization={organization} subscription={subscription} />}
    </li>
  );
}

interface DeliveriesProps {
  readonly port: EventsPort;
  readonly organization: string;
  readonly subscription: Subscription;
}

const TONES = { waiting: 'notice', sent: 'positive', failed: 'negative' } as const satisfies Record<DeliveryState, string>;

/** Excludes those scheduled for the next morning or a later retry. */
function isInProgress({ next }: EventDelivery): boolean {
  return next !== undefined && Date.parse(next) < Date.now() + SOON;
}

/** Milliseconds. */
const SOON = 5000;
const AGAIN = 1000;

export function Deliveries({ port, organization, subscription }: DeliveriesProps) {
  const messages = useMessages('sites');
  const { subscriptions } = messages.events;
  const { id } = subscription;
  const read = useCallback(() => port.deliveries(organization, id), [port, organization, id]);
  const [reading, reload] = useReading(read, (list) => (list.some(isInProgress) ? AGAIN : undefined));
  const [announcement, setAnnouncement] = useState('');
  const [refused, setRefused] = useState<Failure>();
  const send = async (message: string): Promise<void> => {
    const answer = await port.resend(organization, id, message);
    setAnnouncement(answer.state === 'known' ? subscriptions.sentAgain : '');
    setRefused(failureOf(answer));
    reload();
  };
  if (reading.state === 'loading') return <p className="rp-quiet">{subscriptions.deliveriesReading}</p>;
  if (reading.state === 'failed') return <FailureNotice title={subscriptions.deliveriesFailed} failure={reading.failure} />;
  const list = reading.state === 'ready' ? reading.value : [];
  return (
    <>
      {list.length === 0 ? (
        <p className="rp-quiet">{subscriptions.noDeliveries}</p>
      ) : (
        <ul className="rp-plain-list" aria-label={subscriptions.deliveriesOf({ to: recipientOf(subscription) })}>
          {list.map((message) => (
            <li key={message.id} className="rp-actions">
              <Badge tone={TONES[message.state]} text={subscriptions.states[message.state]} />
              <span className="rp-quiet">
                <Age time={message.created} /> · {subscriptions.attempts({ count: message.attempts })}
                {message.status === undefined ? '' : ` · ${message.status}`}
              </span>
              {message.problem !== undefined && <span className="rp-quiet rp-value">{codeText(messages, message.problem)}</span>}
              {message.state !== 'waiting' && (
                <ActionButton isQuiet aria-label={subscriptions.againOf({ id: message.id })} onPress={() => void send(message.id)}>
                  {subscriptions.again}
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {refused !== undefined && (
        <FailureNotice title={isUncertain(refused) ? subscriptions.maybeSentAgain : subscriptions.againFailed} failure={refused} />
      )}
      <Status>{announcement}</Status>
    </>
  );
}

function recipientOf({ channel }: Pick<Subscription, 'channel'>): string {
  return channel.type === 'email' ? channel.to : channel.url;
}
