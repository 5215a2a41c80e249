import { REPOSITORY_SECRET, type SecretInfo } from '@repoless/contract/secret.ts';
import { keyValidity } from '@repoless/core/access/api-keys.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { Moment, useNow } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { RowLink } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useRemoval } from '../access/use-removal.tsx';

interface Props {
  readonly name: string;
  readonly type?: SecretInfo['type'];
  readonly id?: string;
  readonly created: string | undefined;
  /** When it ends, where that is known. */
  readonly expires?: string | undefined;
  readonly isReadOnly: boolean;
  /** What its removal means. */
  readonly text: string;
  readonly remove: () => Promise<Failure | undefined>;
  readonly onRemoved: () => void;
}

const TONES = { soon: 'notice', expired: 'negative' } as const;

/** A secret or a token, by its name: never its value. */
export function CredentialLine({ name, type, id, created, expires, isReadOnly, text, remove, onRemoved }: Props) {
  const { secrets: messages } = useMessages('configuration').form;
  const now = useNow();
  const standing = expires === undefined ? undefined : keyValidity(expires, now);
  const { button, notice } = useRemoval(
    {
      ask: messages.remove,
      askOf: messages.removeOf({ name }),
      title: messages.removeTitle({ name }),
      text,
      now: messages.removeNow,
      keep: messages.keep,
      running: messages.removing,
      failed: messages.removeFailed,
      uncertain: messages.removeUncertain,
    },
    remove,
    onRemoved,
  );
  return (
    <li className="rp-key">
      <div className="rp-user-head">
        <div className="rp-key-text">
          <span className="rp-key-name">
            <strong className="rp-value">
              {type === undefined ? (
                name
              ) : (
                <RowLink parameter="secret" name={name}>
                  {name}
                </RowLink>
              )}
            </strong>
            {type !== undefined && <Badge tone="neutral" text={messages.types[type]} />}
            {standing !== undefined && standing !== 'good' && <Badge tone={TONES[standing]} text={messages.standings[standing]} />}
          </span>
          {name === REPOSITORY_SECRET && <span className="rp-quiet">{messages.repository}</span>}
          {id !== undefined && id !== name && <span className="rp-quiet rp-value">{messages.id({ id })}</span>}
          {expires !== undefined && (
            <span className="rp-quiet">
              {standing === 'expired' ? messages.expired : messages.expires} <Moment time={expires} />
            </span>
          )}
          {created !== undefined && (
            <span className="rp-quiet">
              {messages.created} <Moment time={created} />
            </span>
          )}
        </div>
        {!isReadOnly && button}
      </div>
      {notice}
    </li>
  );
}
