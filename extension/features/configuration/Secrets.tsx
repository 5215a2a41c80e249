import { REPOSITORY_SECRET, SecretName } from '@repoless/contract/secret.ts';
import {
  createSecret,
  endOfDay,
  isPast,
  keyValidity,
  type NamedSecret,
  type NewSecret,
  readSecrets,
  readTokens,
  removeSecret,
  removeToken,
  type SiteToken,
} from '@repoless/core/access/credentials.ts';
import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { useCallback, useState } from 'react';
import { Moment, useNow } from '../../ui/Age.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { EndField } from '../../ui/Once.tsx';
import { TextInput } from '../../ui/forms.tsx';
import { LinkedRows, RowLink } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { CredentialLine, Credentials, MakeCredential, type Making } from '../access/Credentials.tsx';

interface Props {
  readonly service: ServicePort;
  readonly site: HistorySubject;
}

interface ListProps extends Props {
  readonly isReadOnly: boolean;
}

/** The secrets of a site. Below them its site tokens, including those from a configuration of the public service. */
export function Secrets({ service, site, isReadOnly }: ListProps) {
  const { secrets: messages } = useMessages('configuration').form;
  const { once, tokens } = messages;
  const read = useCallback(() => readSecrets(service, site), [service, site]);
  const readAllTokens = useCallback(() => readTokens(service, site), [service, site]);
  const line = { service, site, isReadOnly };
  return (
    <LinkedRows>
      <Credentials<NamedSecret, NewSecret>
        id="rp-secrets"
        messages={messages}
        read={read}
        isReadOnly={isReadOnly}
        line={(secret, onRemoved) => <SecretLine key={secret.name} {...line} secret={secret} onRemoved={onRemoved} />}
        make={{
          open: messages.make,
          done: once.done,
          made: ({ name }) => messages.made({ name }),
          form: ({ listed, ...making }) => (
            <CreateSecret {...making} service={service} site={site} names={listed.map(({ name }) => name)} />
          ),
          once: ({ id, value }) => ({
            ...once,
            rows: [
              { name: once.value, value: value.reveal(), copy: once.copy },
              { name: once.id, value: id, copy: once.copyId },
            ],
          }),
        }}
      >
        <Credentials<SiteToken>
          id="rp-tokens"
          level={3}
          messages={{ ...messages, ...tokens }}
          read={readAllTokens}
          line={(token, onRemoved) => <SecretLine key={token.name} {...line} token={token} onRemoved={onRemoved} />}
        />
      </Credentials>
    </LinkedRows>
  );
}

type LineProps = ListProps & { readonly onRemoved: (announcement: string) => void } & (
    { readonly secret: NamedSecret; readonly token?: undefined } | { readonly secret?: undefined; readonly token: SiteToken }
  );

const TONES = { soon: 'notice', expired: 'negative' } as const;

function SecretLine({ service, site, secret, token, isReadOnly, onRemoved }: LineProps) {
  const { secrets: messages } = useMessages('configuration').form;
  const now = useNow();
  const { name, created } = secret ?? token;
  const { type, id, expires } = secret ?? {};
  const validity = expires === undefined ? undefined : keyValidity(expires, now);
  return (
    <CredentialLine
      isReadOnly={isReadOnly}
      name={
        secret === undefined ? (
          name
        ) : (
          <RowLink parameter="secret" name={name}>
            {name}
          </RowLink>
        )
      }
      badges={
        <>
          {type !== undefined && <Badge tone="neutral" text={messages.types[type]} />}
          {validity !== undefined && validity !== 'good' && <Badge tone={TONES[validity]} text={messages.validity[validity]} />}
        </>
      }
      texts={{
        action: messages.remove,
        actionOf: messages.removeOf({ name }),
        title: messages.removeTitle({ name }),
        text: messages.removeText[secret === undefined ? 'token' : 'secret'],
        now: messages.removeNow,
        keep: messages.keep,
        running: messages.removing,
        failed: messages.removeFailed,
        uncertain: messages.removeUncertain,
      }}
      remove={() => (secret === undefined ? removeToken : removeSecret)(service, site, name)}
      onRemoved={() => onRemoved(messages.removed({ name }))}
    >
      {name === REPOSITORY_SECRET && <span className="rp-quiet">{messages.repository}</span>}
      {id !== undefined && id !== name && <span className="rp-quiet rp-value">{messages.id({ id })}</span>}
      {expires !== undefined && (
        <span className="rp-quiet">
          {validity === 'expired' ? messages.expired : messages.expires} <Moment time={expires} />
        </span>
      )}
      {created !== undefined && (
        <span className="rp-quiet">
          {messages.created} <Moment time={created} />
        </span>
      )}
    </CredentialLine>
  );
}

interface CreateProps extends Props, Omit<Making<string, NewSecret>, 'listed'> {
  readonly names: readonly string[];
}

export function CreateSecret({ service, site, names, ...making }: CreateProps) {
  const { secrets } = useMessages('configuration').form;
  const [name, setName] = useState('');
  /** The service reported that the name is taken. */
  const [taken, setTaken] = useState<string>();
  const [day, setDay] = useState('');
  const now = useNow();
  const isTaken = names.includes(name) || taken === name;
  const isWrong = name !== '' && !SecretName.safeParse(name).success;
  const isEndWrong = day !== '' && isPast(day, now);
  const problem = isTaken ? secrets.nameTaken : isWrong ? secrets.nameWrong : undefined;
  return (
    <MakeCredential
      {...making}
      listed={names}
      messages={secrets}
      isEntered={name !== '' || day !== ''}
      make={() =>
        problem !== undefined || isEndWrong
          ? undefined
          : createSecret(service, site, { name: name === '' ? undefined : name, expires: day === '' ? undefined : endOfDay(day) })
      }
      isShown={({ problem: refused }) => {
        const isNameTaken = refused?.code === 'PRECONDITION_FAILED';
        if (isNameTaken) setTaken(name);
        return isNameTaken;
      }}
      appeared={(before) => names.filter((one) => !before.includes(one)).map((one) => secrets.uncertain.appeared({ name: one }))}
    >
      <TextInput label={secrets.name} description={secrets.nameHelp} value={name} onChange={setName} problem={problem} />
      <EndField messages={secrets.end} day={day} isWrong={isEndWrong} onChange={setDay} />
    </MakeCredential>
  );
}
