import { Button } from '@adobe/react-spectrum/Button';
import type { ApiKeyInfo } from '@repoless/contract/credentials.ts';
import { keyValidity, type NewApiKey, readKeys, revokeKey } from '@repoless/core/access/api-keys.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { useCallback, useRef, useState } from 'react';
import { Moment, useNow } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Once } from '../../ui/Once.tsx';
import { ReadRefused } from '../../ui/Unread.tsx';
import { RowLink } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { CreateKey } from './CreateKey.tsx';
import { Unreadable } from './notices.tsx';
import { useRemoval } from './use-removal.tsx';

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

interface KeyLineProps {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly info: ApiKeyInfo;
  readonly onRevoked: (name: string) => void;
}

const TONES = { good: 'positive', soon: 'notice', expired: 'negative' } as const;

/** A key: what it is for, what it may, until when; and the way to end it. */
function KeyLine({ service, subject, info, onRevoked }: KeyLineProps) {
  const { keys: messages, roleOf } = useMessages('access');
  const standing = keyValidity(info.expires, useNow());
  const name = info.description ?? messages.unnamed;
  const { button, notice } = useRemoval(
    {
      ask: messages.revoke,
      askOf: messages.revokeOf({ name }),
      title: messages.revokeTitle({ name }),
      text: messages.revokeText,
      now: messages.revokeNow,
      keep: messages.keep,
      running: messages.revoking,
      failed: messages.revokeFailed,
      uncertain: messages.revokeUncertain,
    },
    () => revokeKey(service, subject, info.id),
    () => onRevoked(name),
  );
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">
              <RowLink parameter="key" name={info.id}>
                {name}
              </RowLink>
            </strong>
            <Badge tone={TONES[standing]} text={messages.standings[standing]} />
          </span>
          <span className="rp-member-text">
            {info.roles.map((role) => (
              <Badge key={role} tone="neutral" text={roleOf[role]} />
            ))}
          </span>
          <span className="rp-quiet rp-value">{messages.madeBy({ who: info.createdBy })}</span>
          <span className="rp-quiet">
            {standing === 'expired' ? messages.expired : messages.expires} <Moment time={info.expires} />
          </span>
          {standing === 'soon' && <span className="rp-quiet">{messages.soonHelp}</span>}
        </div>
        {button}
      </div>
      {notice}
    </li>
  );
}
