import { Button } from '@adobe/react-spectrum/Button';
import { useCallback, useRef, useState } from 'react';
import type { NewApiKey } from '@repoless/core/access/api-keys.ts';
import { readKeys } from '@repoless/core/access/api-keys.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Once } from '../external-repository/Once.tsx';
import { ReadRefused } from '../../ui/Unread.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { KeyLine } from './KeyLine.tsx';
import { CreateKey } from './CreateKey.tsx';
import { Unreadable } from './Unreadable.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
}

const WHEN_ASKED = () => undefined;

/** The API keys of a site or of an organization: made, shown once, listed, revoked. */
export function ApiKeys({ service, subject }: Props) {
  const { keys: messages } = useMessages('access');
  const read = useCallback(() => readKeys(service, subject), [service, subject]);
  const [reading, again] = useReading(read, WHEN_ASKED);
  const [readInfo] = useState(() => () => service.info());
  const [info] = useReading(readInfo, WHEN_ASKED);
  const longest = info.state === 'ready' ? info.value.apiKeyLifetimeLimit : undefined;
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<NewApiKey>();
  const [said, setSaid] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const list = reading.state === 'ready' ? reading.value : [];
  const tell = (text: string): void => {
    setSaid(text);
    heading.current?.focus();
  };
  const finish = (): void => {
    setMaking(false);
    setMade(undefined);
    tell('');
  };
  return (
    <section className="rp-card" aria-labelledby="rp-keys">
      <h2 id="rp-keys" tabIndex={-1} ref={heading}>
        {messages.title}
      </h2>
      <p className="rp-quiet">{messages.text[subject.kind === 'organization' ? 'organization' : 'site']}</p>
      {reading.state !== 'ready' && (
        <Unreadable
          reading={reading}
          loading={messages.reading}
          missing={messages.missing}
          notAllowed={messages.notAllowed}
          onRetry={again}
        />
      )}
      {reading.state === 'ready' && reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={again} />}
      {reading.state === 'ready' && list.length === 0 && <p className="rp-empty">{messages.empty}</p>}
      {list.length > 0 && (
        <ul className="rp-plain-list" aria-label={messages.title}>
          {list.map((key) => (
            <KeyLine
              key={key.id}
              service={service}
              subject={subject}
              info={key}
              onRevoked={(name) => {
                tell(messages.revoked({ name }));
                again();
              }}
            />
          ))}
        </ul>
      )}
      {made !== undefined && (
        <Once
          level={3}
          title={messages.once.title}
          text={messages.once.text}
          rows={[{ name: messages.once.value, value: made.value.reveal(), copy: messages.once.copy }]}
        >
          <div className="rp-actions">
            <Button variant="accent" onPress={finish}>
              {messages.once.done}
            </Button>
          </div>
        </Once>
      )}
      {making && made === undefined && (
        <CreateKey
          longest={longest}
          listed={list}
          onUncertain={again}
          service={service}
          subject={subject}
          onCancel={finish}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            setSaid(messages.made({ name: key.info.description ?? messages.unnamed }));
            again();
          }}
        />
      )}
      {reading.state === 'ready' && !making && made === undefined && (
        <div className="rp-actions">
          <Button
            variant="secondary"
            onPress={() => {
              setSaid('');
              setMaking(true);
            }}
          >
            {messages.make}
          </Button>
        </div>
      )}
      <p role="status" className="rp-quiet">
        {said}
      </p>
    </section>
  );
}
