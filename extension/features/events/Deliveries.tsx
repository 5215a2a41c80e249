import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { DeliveryState, EventDelivery, Subscription } from '@repoless/contract/event.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import { type Failure, failureOf, isUncertain } from '@repoless/core/situation/call.ts';
import { useCallback, useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { Status } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';

interface Props {
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

export function Deliveries({ port, organization, subscription }: Props) {
  const messages = useMessages('sites');
  const { subscriptions } = messages.events;
  const { id } = subscription;
  const read = useCallback(() => port.deliveries(organization, id), [port, organization, id]);
  const [reading, again] = useReading(read, (list) => (list.some(isInProgress) ? AGAIN : undefined));
  const [said, setSaid] = useState('');
  const [refused, setRefused] = useState<Failure>();
  const send = async (message: string): Promise<void> => {
    const answer = await port.sendAgain(organization, id, message);
    setSaid(answer.state === 'known' ? subscriptions.sentAgain : '');
    setRefused(failureOf(answer));
    again();
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
      <Status>{said}</Status>
    </>
  );
}

export function recipientOf({ channel }: Pick<Subscription, 'channel'>): string {
  return channel.type === 'email' ? channel.to : channel.url;
}
