import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { useState } from 'react';
import type { OrgEvent } from '#contract/event.ts';
import type { EventsPort } from '#extension/setup/events/events-port.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { Age } from '../shared/Age.tsx';
import { Badge } from '../shared/Badge.tsx';
import { Explanation } from '../shared/Explanation.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { Subscriptions } from './Subscriptions.tsx';
import type { EventsReading } from './use-events.ts';

interface Props {
  readonly port: EventsPort;
  readonly organization: string;
  readonly events: EventsReading;
}

/** What went wrong in the organization's sites and what is in order again, and who is told of it. */
export function Notifications({ port, organization, events: { reading, reload } }: Props) {
  const messages = useMessages('sites');
  const { events } = messages;
  const [onlyOpen, setOnlyOpen] = useState(false);
  if (reading.state === 'loading') return <Loading text={events.reading} />;
  if (reading.state === 'missing') return <p className="rp-empty">{events.missing}</p>;
  if (reading.state === 'failed') return <Explanation title={events.failed} explained={explainFailure(messages, reading.failure)} />;
  const { events: all, unread } = reading.value;
  const shown = all.filter(({ open }) => !onlyOpen || open);
  const [newest] = all;
  const markRead = async (upTo: OrgEvent['id']): Promise<void> => {
    await port.read(organization, upTo);
    reload();
  };
  return (
    <>
      <section className="rp-list" aria-labelledby="rp-events">
        <h2 id="rp-events" className="rp-hidden">
          {events.title}
        </h2>
        <div className="rp-section-head">
          <p className="rp-quiet">{events.text}</p>
          <div className="rp-actions">
            <Checkbox isSelected={onlyOpen} onChange={setOnlyOpen}>
              {events.onlyOpen}
            </Checkbox>
            <ActionButton isDisabled={unread === 0} onPress={() => newest !== undefined && void markRead(newest.id)}>
              {events.markRead}
            </ActionButton>
          </div>
        </div>
        {shown.length === 0 ? (
          <p className="rp-empty">{events.empty}</p>
        ) : (
          <ul className="rp-plain-list rp-events" aria-label={events.title}>
            {shown.map((event) => (
              <EventLine key={event.id} event={event} />
            ))}
          </ul>
        )}
      </section>
      <Subscriptions port={port} organization={organization} />
    </>
  );
}

function EventLine({ event: { kind, phase, open, time, site, repository, ref, about, detail } }: { readonly event: OrgEvent }) {
  const { events } = useMessages('sites');
  const place = [site, repository === undefined ? undefined : `${repository}${ref === undefined ? '' : ` · ${ref}`}`];
  const name = events.kinds[kind];
  return (
    <li className="rp-event">
      <div className="rp-event-head">
        <span className="rp-strong">{phase === 'began' ? name : events.inOrder(name)}</span>
        <Badge tone={open ? 'negative' : 'positive'} text={open ? events.open : events.fixed} />
      </div>
      <span className="rp-value">{[...place, about].filter((part) => part !== undefined).join(' · ')}</span>
      {detail !== undefined && <span className="rp-quiet rp-value">{detail}</span>}
      <span className="rp-quiet">
        <Age time={time} />
      </span>
    </li>
  );
}
