import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { Subscription } from '#contract/event.ts';
import type { EventsPort } from '#extension/setup/events/events-port.ts';
import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { Badge } from '../shared/Badge.tsx';
import { Explanation } from '../shared/Explanation.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { Deliveries } from './Deliveries.tsx';
import { recipientOf } from './recipient.ts';

interface Props {
  readonly port: EventsPort;
  readonly organization: string;
  readonly subscription: Subscription;
  readonly onRemoved: (to: string) => void;
}

/** Somebody who is told: of what, how, and what was sent. */
export function SubscriptionLine({ port, organization, subscription, onRemoved }: Props) {
  const messages = useMessages('sites');
  const { kinds: names, subscriptions: words } = messages.events;
  const [failure, setFailure] = useState<Failure>();
  const [shown, setShown] = useState(false);
  const { kinds, sites, channel, createdBy } = subscription;
  const to = recipientOf(subscription);
  const remove = async (): Promise<void> => {
    const answer = await port.unsubscribe(organization, subscription.id);
    if (answer.state === 'failed') setFailure(answer.failure);
    else onRemoved(to);
  };
  const what = kinds === undefined ? words.everything : kinds.map((kind) => names[kind]).join(', ');
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">{to}</strong>
            <Badge tone="neutral" text={channel.type === 'email' ? words.email : words.webhook} />
            {channel.type === 'email' && <Badge tone="neutral" text={words[channel.digest]} />}
          </span>
          <span className="rp-quiet">{words.of(what, sites === undefined ? words.allSites : sites.join(', '))}</span>
          <span className="rp-quiet rp-value">{words.by(createdBy)}</span>
        </div>
        <div className="rp-actions">
          <Button variant="secondary" aria-expanded={shown} onPress={() => setShown(!shown)}>
            {words.deliveries}
          </Button>
          <Button variant="secondary" aria-label={words.removeOf(to)} onPress={() => void remove()}>
            {words.remove}
          </Button>
        </div>
      </div>
      {failure !== undefined && <Explanation title={words.removeFailed} explained={explainFailure(messages, failure)} />}
      {shown && <Deliveries port={port} organization={organization} subscription={subscription} />}
    </li>
  );
}
