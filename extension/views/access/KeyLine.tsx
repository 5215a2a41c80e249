import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { ApiKeyInfo } from '#contract/api-key.ts';
import { keyStanding, revokeKey } from '#extension/setup/access/api-keys.ts';
import type { HistorySubject } from '#extension/setup/history/subject.ts';
import type { ServicePort } from '#extension/setup/ports.ts';
import type { Failure } from '#extension/setup/situation.ts';
import { Badge } from '../shared/Badge.tsx';
import { Explanation } from '../shared/Explanation.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useNow } from '../shared/use-now.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Moment } from './Moment.tsx';
import { explainHere } from './explain-here.ts';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly info: ApiKeyInfo;
  readonly onRevoked: (name: string) => void;
}

type Revoking = { readonly state: 'no' | 'asked' | 'revoking' } | { readonly state: 'failed'; readonly failure: Failure };

const TONES = { good: 'positive', soon: 'notice', expired: 'negative' } as const;

/** A key: what it is for, what it may, until when; and the way to end it. */
export function KeyLine({ service, subject, info, onRevoked }: Props) {
  const general = useMessages();
  const { keys: messages, roleOf } = useMessages('access');
  const [revoking, setRevoking] = useState<Revoking>({ state: 'no' });
  const [kept, setKept] = useState(false);
  const standing = keyStanding(info.expires, useNow());
  const focus = useFocusOnArrival<HTMLHeadingElement>(revoking.state === 'asked' ? revoking : undefined);
  const name = info.description ?? messages.unnamed;
  const revoke = async (): Promise<void> => {
    setRevoking({ state: 'revoking' });
    const failure = await revokeKey(service, subject, info.id);
    if (failure === undefined) return onRevoked(name);
    return setRevoking({ state: 'failed', failure });
  };
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">{name}</strong>
            <Badge tone={TONES[standing]} text={messages.standings[standing]} />
          </span>
          <span className="rp-member-text">
            {info.roles.map((role) => (
              <Badge key={role} tone="neutral" text={roleOf[role]} />
            ))}
          </span>
          <span className="rp-quiet rp-value">{messages.madeBy(info.createdBy)}</span>
          <span className="rp-quiet">
            {standing === 'expired' ? messages.expired : messages.expires} <Moment time={info.expires} />
          </span>
          {standing === 'soon' && <span className="rp-quiet">{messages.soonHelp}</span>}
        </div>
        {revoking.state === 'no' && (
          <Button variant="secondary" autoFocus={kept} onPress={() => setRevoking({ state: 'asked' })} aria-label={messages.revokeOf(name)}>
            {messages.revoke}
          </Button>
        )}
      </div>
      {revoking.state === 'revoking' && <p role="status">{messages.revoking}</p>}
      {revoking.state === 'asked' && (
        <div className="rp-notice rp-notice-warning">
          <div className="rp-notice-body">
            <h3 tabIndex={-1} ref={focus}>
              {messages.revokeTitle(name)}
            </h3>
            <p>{messages.revokeText}</p>
            <div className="rp-actions">
              <Button variant="negative" onPress={() => void revoke()}>
                {messages.revokeNow}
              </Button>
              <Button
                variant="secondary"
                onPress={() => {
                  setKept(true);
                  setRevoking({ state: 'no' });
                }}
              >
                {messages.keep}
              </Button>
            </div>
          </div>
        </div>
      )}
      {revoking.state === 'failed' && (
        <Explanation title={messages.revokeFailed} explained={explainHere(general, revoking.failure)}>
          <Button variant="secondary" onPress={() => void revoke()}>
            {general.general.retry}
          </Button>
        </Explanation>
      )}
    </li>
  );
}
