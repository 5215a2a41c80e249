import { TextButton } from '../../ui/TextButton.tsx';
import { firstIssue } from '../page-properties/choice-problems.ts';
import { TextField } from '@adobe/react-spectrum/TextField';
import { SecretValue } from '@repoless/contract/secret.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import type { JobProblem } from '@repoless/core/sync/sync-state.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import { useState } from 'react';
import { Explanation, FailureNotice, Notice } from '../../ui/Notice.tsx';
import { Status } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { invalid } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import type { FollowedBranch } from './use-job.ts';

interface Props extends Pick<FollowedBranch, 'group' | 'place' | 'branch'> {
  readonly sync: Pick<SyncPort, 'start' | 'setSecret'>;
}

type Storing =
  | { readonly state: 'idle' | 'storing' | 'stored' }
  | { readonly state: 'invalid'; readonly problem: string }
  /** `unsynced`: the secret is stored, but the sync did not start. */
  | { readonly state: 'failed' | 'unsynced'; readonly failure: Failure };

/** Pastes the secret of an external repository where its error is shown: stores it with the site that holds it, then syncs again. */
export function PasteSecret({ group, place, branch, sync }: Props) {
  const messages = useMessages('sync');
  const [value, setValue] = useState('');
  const [storing, setStoring] = useState<Storing>({ state: 'idle' });
  useUnsavedEntry(value.trim() !== '', 'place', storing.state === 'storing' ? 'saving' : 'unsaved');
  const unsynced = useFocusOnArrival<HTMLDivElement>(storing.state === 'unsynced' ? storing : undefined);
  const { holder } = group;
  if (holder === undefined) return <Explanation explained={messages.sync.secret.holderMissing} />;
  const store = async (): Promise<void> => {
    const secret = SecretValue.safeParse(value);
    if (!secret.success) {
      const problem =
        value.trim() === '' ? messages.sync.secret.missing : (firstIssue(messages, SecretValue, value) ?? messages.sync.secret.missing);
      return setStoring({ state: 'invalid', problem });
    }
    setStoring({ state: 'storing' });
    const stored = await sync.setSecret(place.org, holder, { value: secret.data });
    if (stored.state !== 'known') {
      return setStoring({ state: 'failed', failure: failureOf(stored) });
    }
    setValue('');
    await start();
  };
  const start = async (): Promise<void> => {
    setStoring({ state: 'stored' });
    const failure = failureOf(await sync.start(place, branch));
    if (failure !== undefined) setStoring({ state: 'unsynced', failure });
  };
  return (
    <form
      className="rp-paste"
      onSubmit={(event) => {
        event.preventDefault();
        void store();
      }}
    >
      <TextField
        label={messages.sync.secret.label}
        description={messages.sync.secret.help({ holder })}
        type="password"
        autoComplete="off"
        value={value}
        onChange={(next) => {
          setValue(next);
          if (storing.state === 'invalid') setStoring({ state: 'idle' });
        }}
        isDisabled={storing.state === 'storing'}
        width="100%"
        validationBehavior="aria"
        {...invalid(storing.state === 'invalid' ? storing.problem : undefined)}
      />
      <TextButton variant="accent" type="submit" isDisabled={storing.state === 'storing'} text={messages.sync.secret.store} />
      <Status>
        {storing.state === 'storing' && messages.sync.secret.storing}
        {storing.state === 'stored' && messages.sync.secret.stored}
      </Status>
      {storing.state === 'unsynced' && (
        <FailureNotice title={messages.sync.secret.unsynced} messages={messages} failure={storing.failure} focus={unsynced}>
          <TextButton onPress={() => void start()} text={messages.sync.secret.syncOnly} />
        </FailureNotice>
      )}
      {storing.state === 'failed' && <FailureNotice messages={messages} failure={storing.failure} hasFields />}
    </form>
  );
}

interface JobFailedProps extends Props {
  readonly problem: JobProblem;
}

/** The meaning of a failed sync, its own message, and what to do, with the form for it if that is possible here. */
export function JobFailed({ group, place, branch, sync, problem }: JobFailedProps) {
  const all = useMessages('sync');
  const messages = all.sync;
  const { sentence, next } = fillFrom(messages.problems[problem.kind], { branch, holder: group.holder ?? place.site });
  return (
    <Notice tone="negative" icon={AlertCircle} role="group" label={messages.means}>
      <p>{sentence}</p>
      {next !== undefined && <p className="rp-next">{next}</p>}
      <p className="rp-quiet">
        {messages.message}: {codeText(all, problem.error)}
      </p>
      {problem.action === 'paste-secret' && <PasteSecret group={group} place={place} branch={branch} sync={sync} />}
    </Notice>
  );
}
