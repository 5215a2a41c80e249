import { Button } from '@adobe/react-spectrum/Button';
import { useCallback, useRef, useState } from 'react';
import type { CreatedSubscription } from '@repoless/contract/event.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Once } from '../external-repository/Once.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { recipientOf } from './recipient.ts';
import { SubscribeForm } from './SubscribeForm.tsx';
import { SubscriptionLine } from './SubscriptionLine.tsx';

interface Props {
  readonly port: EventsPort;
  readonly organization: string;
}

/** Who is told of events: added, shown with what was sent to them, removed. */
export function Subscriptions({ port, organization }: Props) {
  const messages = useMessages('sites');
  const { subscriptions } = messages.events;
  const read = useCallback(() => port.subscriptions(organization), [port, organization]);
  const [reading, again] = useReading(read, () => undefined);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<CreatedSubscription>();
  const [said, setSaid] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = reading.state === 'ready' ? reading.value : [];
  const finish = (text: string): void => {
    setAdding(false);
    setMade(undefined);
    setSaid(text);
    heading.current?.focus();
  };
  const isForbidden = reading.state === 'failed' && reading.failure.status === 403;
  return (
    <section className="rp-card" aria-labelledby="rp-subscriptions">
      <h2 id="rp-subscriptions" tabIndex={-1} ref={heading}>
        {subscriptions.title}
      </h2>
      <p className="rp-quiet">{isForbidden ? subscriptions.notAllowed : subscriptions.text}</p>
      {reading.state === 'failed' && !isForbidden && (
        <Explanation title={subscriptions.failed} explained={explainFailure(messages, reading.failure)} />
      )}
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
                again();
              }}
            />
          ))}
        </ul>
      )}
      {made?.secret !== undefined && (
        <Once
          level={3}
          title={subscriptions.onceTitle}
          text={subscriptions.onceText}
          rows={[{ name: subscriptions.secret, value: made.secret, copy: subscriptions.copySecret }]}
        >
          <div className="rp-actions">
            <Button variant="accent" onPress={() => finish('')}>
              {subscriptions.done}
            </Button>
          </div>
        </Once>
      )}
      {adding && (
        <SubscribeForm
          port={port}
          organization={organization}
          onUncertain={again}
          onCancel={() => finish('')}
          onMade={(subscription) => {
            finish(subscriptions.made({ to: recipientOf(subscription) }));
            if (subscription.secret !== undefined) setMade(subscription);
            again();
          }}
        />
      )}
      {reading.state === 'ready' && !adding && made === undefined && (
        <div className="rp-actions">
          <Button
            variant="secondary"
            onPress={() => {
              setSaid('');
              setAdding(true);
            }}
          >
            {subscriptions.make}
          </Button>
        </div>
      )}
      <p role="status" className="rp-quiet">
        {said}
      </p>
    </section>
  );
}
