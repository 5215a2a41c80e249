import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { RoleName } from '@repoless/contract/access.ts';
import type { ApiKeyInfo } from '@repoless/contract/credentials.ts';
import { createKey, keyValidity, lifetimes, type NewApiKey, readKeys, revokeKey } from '@repoless/core/access/credentials.ts';
import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { useCallback, useState } from 'react';
import { Moment, useNow } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { RowLink } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { CredentialLine, Credentials, MakeCredential, type Making } from './Credentials.tsx';
import { RoleChoice } from './Users.tsx';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
}

export function ApiKeys({ service, subject }: Props) {
  const { keys: messages } = useMessages('access');
  const { once } = messages;
  const read = useCallback(() => readKeys(service, subject), [service, subject]);
  const [readInfo] = useState(() => () => service.info());
  const [info] = useReading(readInfo);
  const longest = info.state === 'ready' ? info.value.apiKeyLifetimeLimit : undefined;
  return (
    <Credentials<ApiKeyInfo, NewApiKey>
      id="rp-keys"
      messages={{ ...messages, text: messages.text[subject.kind === 'organization' ? 'organization' : 'site'] }}
      read={read}
      line={(key, onRemoved) => <KeyLine key={key.id} service={service} subject={subject} info={key} onRemoved={onRemoved} />}
      make={{
        open: messages.make,
        done: once.done,
        made: (key) => messages.made({ name: key.info.description ?? messages.unnamed }),
        form: (making) => <CreateKey {...making} longest={longest} service={service} subject={subject} />,
        once: ({ value }) => ({ ...once, rows: [{ name: once.value, value: value.reveal(), copy: once.copy }] }),
      }}
    />
  );
}

interface LineProps extends Props {
  readonly info: ApiKeyInfo;
  readonly onRemoved: (announcement: string) => void;
}

const TONES = { good: 'positive', soon: 'notice', expired: 'negative' } as const;

function KeyLine({ service, subject, info, onRemoved }: LineProps) {
  const { keys: messages, roleOf } = useMessages('access');
  const validity = keyValidity(info.expires, useNow());
  const name = info.description ?? messages.unnamed;
  return (
    <CredentialLine
      name={
        <RowLink parameter="key" name={info.id}>
          {name}
        </RowLink>
      }
      badges={<Badge tone={TONES[validity]} text={messages.validity[validity]} />}
      texts={{
        action: messages.revoke,
        actionOf: messages.revokeOf({ name }),
        title: messages.revokeTitle({ name }),
        text: messages.revokeText,
        now: messages.revokeNow,
        keep: messages.keep,
        running: messages.revoking,
        failed: messages.revokeFailed,
        uncertain: messages.revokeUncertain,
      }}
      remove={() => revokeKey(service, subject, info.id)}
      onRemoved={() => onRemoved(messages.revoked({ name }))}
    >
      <span className="rp-member-text">
        {info.roles.map((role) => (
          <Badge key={role} tone="neutral" text={roleOf[role]} />
        ))}
      </span>
      <span className="rp-quiet rp-value">{messages.madeBy({ who: info.createdBy })}</span>
      <span className="rp-quiet">
        {validity === 'expired' ? messages.expired : messages.expires} <Moment time={info.expires} />
      </span>
      {validity === 'soon' && <span className="rp-quiet">{messages.soonHelp}</span>}
    </CredentialLine>
  );
}

interface CreateProps extends Props, Making<ApiKeyInfo, NewApiKey> {
  /** Maximum lifetime of a key in seconds; undefined if the service does not report it. */
  readonly longest: number | undefined;
}

/** The service's limit. */
const LONGEST_DESCRIPTION = 1000;
const USUAL_DAYS = 90;

export function CreateKey({ service, subject, longest, ...making }: CreateProps) {
  const { keys: messages } = useMessages('access');
  const [description, setDescription] = useState('');
  const [roles, setRoles] = useState<readonly RoleName[]>([]);
  const choices = lifetimes(longest);
  const [chosen, setChosen] = useState(USUAL_DAYS);
  const days = choices.includes(chosen) ? chosen : (choices.at(-1) ?? 1);
  const [isSubmitted, setSubmitted] = useState(false);
  return (
    <MakeCredential
      {...making}
      messages={messages}
      isEntered={description.trim() !== '' || roles.length > 0}
      make={() => {
        setSubmitted(true);
        return roles.length === 0 ? undefined : createKey(service, subject, { description, roles: [...roles], days });
      }}
      appeared={(before) =>
        making.listed
          .filter(({ id }) => before.every((one) => one.id !== id))
          .map(({ id, description: about }) => messages.uncertain.appeared({ name: about ?? messages.unnamed, id }))
      }
    >
      <TextField
        label={messages.description}
        description={messages.descriptionHelp}
        value={description}
        onChange={setDescription}
        maxLength={LONGEST_DESCRIPTION}
        width="100%"
        autoComplete="off"
      />
      <RoleChoice
        label={messages.roles}
        description={messages.rolesHelp}
        roles={roles}
        problem={isSubmitted && roles.length === 0 ? messages.rolesMissing : undefined}
        onChange={setRoles}
      />
      <Picker label={messages.lifetime} selectedKey={String(days)} onSelectionChange={(key) => setChosen(Number(key))} width="100%">
        {choices.map((one) => (
          <Item key={String(one)}>{one < 1 ? messages.hours({ hours: Math.floor(one * 24) }) : messages.days({ days: one })}</Item>
        ))}
      </Picker>
    </MakeCredential>
  );
}
