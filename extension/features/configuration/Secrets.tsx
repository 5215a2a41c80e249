import { Button } from '@adobe/react-spectrum/Button';
import { type NewSecret, readSecrets, readTokens, removeSecret, removeToken } from '@repoless/core/configuration/secrets.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { useCallback, useRef, useState } from 'react';
import { ReadRefused } from '../../ui/Unread.tsx';
import { LinkedRows } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { Unreadable } from '../access/notices.tsx';
import { Once } from '../../ui/Once.tsx';
import { CreateSecret } from './CreateSecret.tsx';
import { CredentialLine } from './CredentialLine.tsx';

interface Props {
  readonly service: ServicePort;
  readonly site: HistorySubject;
  readonly isReadOnly: boolean;
}

const WHEN_ASKED = () => undefined;

/** The secrets of a site: made, shown once, listed, deleted. Below them the tokens that came from elsewhere. */
export function Secrets({ service, site, isReadOnly }: Props) {
  const { secrets: messages } = useMessages('configuration').form;
  const read = useCallback(() => readSecrets(service, site), [service, site]);
  const [reading, again] = useReading(read, WHEN_ASKED);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<NewSecret>();
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
    <LinkedRows>
      <section className="rp-card" aria-labelledby="rp-secrets">
        <h2 id="rp-secrets" tabIndex={-1} ref={heading}>
          {messages.title}
        </h2>
        <p className="rp-quiet">{messages.text}</p>
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
            {list.map((secret) => (
              <CredentialLine
                key={secret.name}
                name={secret.name}
                type={secret.type}
                id={secret.id}
                created={secret.created}
                expires={secret.expires}
                isReadOnly={isReadOnly}
                text={messages.removeText.secret}
                remove={() => removeSecret(service, site, secret.name)}
                onRemoved={() => {
                  tell(messages.removed({ name: secret.name }));
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
            rows={[
              { name: messages.once.value, value: made.value.reveal(), copy: messages.once.copy },
              { name: messages.once.id, value: made.id, copy: messages.once.copyId },
            ]}
          >
            <div className="rp-actions">
              <Button variant="accent" onPress={finish}>
                {messages.once.done}
              </Button>
            </div>
          </Once>
        )}
        {making && (
          <CreateSecret
            service={service}
            site={site}
            names={list.map(({ name }) => name)}
            onUncertain={again}
            onCancel={finish}
            onMade={(secret) => {
              setMaking(false);
              setMade(secret);
              setSaid(messages.made({ name: secret.name }));
              again();
            }}
          />
        )}
        {reading.state === 'ready' && !isReadOnly && !making && made === undefined && (
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
        <Tokens service={service} site={site} isReadOnly={isReadOnly} />
      </section>
    </LinkedRows>
  );
}

interface TokensProps {
  readonly service: ServicePort;
  readonly site: HistorySubject;
  readonly isReadOnly: boolean;
}

const TOKENS_WHEN_ASKED = () => undefined;

/** The site tokens, those included that came with a configuration of the public service: listed and deleted. */
function Tokens({ service, site, isReadOnly }: TokensProps) {
  const { secrets: messages } = useMessages('configuration').form;
  const read = useCallback(() => readTokens(service, site), [service, site]);
  const [reading, again] = useReading(read, TOKENS_WHEN_ASKED);
  const [said, setSaid] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section className="rp-make-key" aria-labelledby="rp-tokens">
      <h3 id="rp-tokens" tabIndex={-1} ref={heading}>
        {messages.tokens.title}
      </h3>
      <p className="rp-quiet">{messages.tokens.text}</p>
      {reading.state !== 'ready' && (
        <Unreadable
          reading={reading}
          loading={messages.tokens.reading}
          missing={messages.missing}
          notAllowed={messages.notAllowed}
          onRetry={again}
        />
      )}
      {reading.state === 'ready' && reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={again} />}
      {reading.state === 'ready' && reading.value.length === 0 && <p className="rp-empty">{messages.tokens.empty}</p>}
      {reading.state === 'ready' && reading.value.length > 0 && (
        <ul className="rp-plain-list" aria-label={messages.tokens.title}>
          {reading.value.map(({ name, created }) => (
            <CredentialLine
              key={name}
              name={name}
              created={created}
              isReadOnly={isReadOnly}
              text={messages.removeText.token}
              remove={() => removeToken(service, site, name)}
              onRemoved={() => {
                setSaid(messages.removed({ name }));
                heading.current?.focus();
                again();
              }}
            />
          ))}
        </ul>
      )}
      <p role="status" className="rp-quiet">
        {said}
      </p>
    </section>
  );
}
