import { useCallback, useRef, useState } from 'react';
import { readTokens, removeToken } from '@repoless/core/configuration/secrets.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Unreadable } from '../access/Unreadable.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { ReadRefused } from '../../ui/Unread.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { CredentialLine } from './CredentialLine.tsx';

interface Props {
  readonly service: ServicePort;
  readonly site: HistorySubject;
  readonly isReadOnly: boolean;
}

const WHEN_ASKED = () => undefined;

/** The site tokens, those included that came with a configuration of the public service: listed and deleted. */
export function Tokens({ service, site, isReadOnly }: Props) {
  const { secrets: messages } = useMessages('configuration').form;
  const read = useCallback(() => readTokens(service, site), [service, site]);
  const [reading, again] = useReading(read, WHEN_ASKED);
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
