import type { ApiKeyInfo } from '@repoless/contract/api-key.ts';
import { keyValidity, revokeKey } from '@repoless/core/access/api-keys.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Badge } from '../../ui/Badge.tsx';
import { RowLink } from '../../ui/address/RowLink.tsx';
import { useNow } from '../../ui/use-now.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Moment } from './Moment.tsx';
import { useRemoval } from './use-removal.tsx';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly info: ApiKeyInfo;
  readonly onRevoked: (name: string) => void;
}

const TONES = { good: 'positive', soon: 'notice', expired: 'negative' } as const;

/** A key: what it is for, what it may, until when; and the way to end it. */
export function KeyLine({ service, subject, info, onRevoked }: Props) {
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
