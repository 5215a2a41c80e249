import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { valueProblem } from '@repoless/core/messages/explain-failure.ts';
import { mergedText, profileText, readProfile, type ReadProfile } from '@repoless/core/rollouts/read-json.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { BackButton } from '../../ui/Card.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { type EditedSite, EditSites } from './EditSites.tsx';
import './rollouts.css';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { useCallback, useState } from 'react';
import { Unread } from '../../ui/Unread.tsx';
import { invalid } from '../../ui/forms.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { PrepareRollout } from './PrepareRollout.tsx';

export type Changing =
  { readonly kind: 'sites'; readonly sites: readonly EditedSite[] } | { readonly kind: 'profile'; readonly profile: string };

interface Props {
  readonly port: RolloutsPort;
  readonly history: HistoryPort;
  readonly organization: string;
  readonly changing: Changing;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

export function ChangeMany({ changing, onClose, onStarted, ...ports }: Props) {
  const { rollouts: messages } = useMessages('rollouts');
  const heading = useFocusOnArrival<HTMLHeadingElement>(changing);
  const shared = { ...ports, onCancel: onClose, onStarted };
  return (
    <section className="rp-stack" aria-labelledby="rp-change-many">
      <header className="rp-rollout-head">
        <BackButton text={messages.back} onPress={onClose} />
        <h2 id="rp-change-many" tabIndex={-1} ref={heading}>
          {changing.kind === 'sites'
            ? messages.form.sitesTitle({ count: changing.sites.length })
            : messages.profile.title({ profile: changing.profile })}
        </h2>
      </header>
      <div className="rp-card">
        {changing.kind === 'sites' ? (
          <EditSites {...shared} sites={changing.sites} />
        ) : (
          <ChangeProfile {...shared} profile={changing.profile} />
        )}
      </div>
    </section>
  );
}

interface ProfileProps {
  readonly port: RolloutsPort;
  readonly history: Pick<HistoryPort, 'current'>;
  readonly organization: string;
  readonly profile: string;
  readonly onCancel: () => void;
  readonly onStarted: (id: string) => void;
}

export function ChangeProfile({ history, ...props }: ProfileProps) {
  const { organization, profile } = props;
  const { profile: messages } = useMessages('rollouts').rollouts;
  const read = useCallback(() => history.current({ kind: 'profile', organization, name: profile }), [history, organization, profile]);
  const [reading, reload] = useReading(read);
  if (reading.state !== 'ready') return <Unread reading={reading} loading={messages.reading} missing={messages.missing} onRetry={reload} />;
  return <ProfileForm {...props} read={read} first={{ stored: profileText(reading.value.data), etag: reading.value.etag }} />;
}

interface Stored {
  readonly stored: string;
  readonly etag: string;
}

interface FormProps extends Omit<ProfileProps, 'history'> {
  readonly first: Stored;
  readonly read: () => ReturnType<HistoryPort['current']>;
}

function ProfileForm({ port, organization, profile, first, read: reread, onCancel, onStarted }: FormProps) {
  const all = useMessages('rollouts');
  const { profile: messages } = all.rollouts;
  const [form, setForm] = useState({ ...first, text: first.stored });
  const { stored, etag, text } = form;
  const setText = (next: string): void => setForm((now) => ({ ...now, text: next }));
  const [tried, setTried] = useState(false);
  /** If someone else changed the profile, the edited text is applied to theirs. Invalid JSON waits until it is valid. */
  const followed = async <T,>(answer: Known<T>): Promise<Known<T>> => {
    if (answer.state !== 'failed' || answer.failure.problem?.code !== 'PRECONDITION_FAILED') return answer;
    const current = await reread();
    if (current.state !== 'known') return current;
    const theirs = profileText(current.value.data);
    setForm((now) => {
      const merged = mergedText(now.stored, now.text, theirs);
      return merged === undefined ? now : { stored: theirs, etag: current.value.etag, text: merged };
    });
    return answer;
  };
  const following: RolloutsPort = {
    ...port,
    preview: async (org, input) => followed(await port.preview(org, input, etag)),
    start: async (...started) => followed(await port.start(...started)),
  };
  const read = readProfile(text);
  const isSame = text.trim() === stored;
  const problem = problemOf(read, isSame && tried, all);
  // Invalid JSON is reported immediately: nothing else can be checked.
  const isShown = problem !== undefined && (tried || read.state === 'broken');
  const change = read.state === 'read' && !isSame ? { profile, config: read.config } : undefined;
  return (
    <PrepareRollout
      port={following}
      organization={organization}
      change={change}
      isEntered={!isSame}
      etag={etag}
      onTry={() => setTried(true)}
      onCancel={onCancel}
      onStarted={onStarted}
    >
      <p>{messages.text}</p>
      <TextArea
        label={messages.config}
        description={messages.configHelp}
        value={text}
        onChange={setText}
        width="100%"
        UNSAFE_className="rp-json rp-json-large"
        {...invalid(isShown ? problem : undefined)}
      />
      <div className="rp-actions">
        <ActionButton isDisabled={isSame} onPress={() => setText(stored)}>
          {messages.reset}
        </ActionButton>
      </div>
    </PrepareRollout>
  );
}

type Wording = ReturnType<typeof useMessages<'rollouts'>>;

function problemOf(read: ReadProfile, isSame: boolean, all: Wording): string | undefined {
  const { profile: messages } = all.rollouts;
  switch (read.state) {
    case 'broken':
      return messages.line({ line: read.line });
    case 'refused':
      return read.problems
        .map(({ pointer, sentence }) => messages.problem({ pointer, sentence: valueProblem(all, { detail: sentence }) }))
        .join(' ');
    case 'read':
      return isSame ? messages.same : undefined;
    default:
      return read satisfies never;
  }
}
