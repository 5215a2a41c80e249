import { codeText, valueProblem } from '@repoless/core/messages/explain-failure.ts';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { type ExternalRepository, GitVendor, OnboardInput } from '@repoless/contract/build-management.ts';
import { sameValue } from '@repoless/contract/json.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import type { RepositoryState } from '@repoless/contract/code-check.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { FailureNotice, Notice, Status } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { WriteFailed } from '../../ui/Question.tsx';
import { SubmitForm, TextInput } from '../../ui/forms.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';

interface Props {
  /** The program of the current author; empty if its address contains none. */
  readonly program: string;
  /** Returns why it was refused; undefined if it was accepted. */
  readonly onSubmit: (input: OnboardInput) => Promise<Failure | undefined>;
  readonly onCancel: () => void;
}

const EMPTY = { programId: '', name: '', cloneUrl: '', accessToken: '' };

/** Names an external repository and how to read it. Errors are shown at the field before anything is sent. */
export function OnboardForm({ program, onSubmit, onCancel }: Props) {
  const messages = useMessages('sync');
  const { onboard, vendors, lost } = messages.external;
  const [texts, setTexts] = useState({ ...EMPTY, programId: program });
  const [vendor, setVendor] = useState<GitVendor>('github-enterprise');
  const [challenge, setChallenge] = useState(false);
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState<'no' | 'yes' | Failure>('no');
  useUnsavedEntry(!sameValue(texts, { ...EMPTY, programId: program }), 'place', sending === 'yes' ? 'saving' : 'unsaved');
  const input = { ...texts, vendor, ...(challenge ? { challenge } : {}) };
  const issues = tried ? (OnboardInput.safeParse(input).error?.issues ?? []) : [];
  const submit = async (): Promise<void> => {
    setTried(true);
    const parsed = OnboardInput.safeParse(input);
    if (!parsed.success) return;
    setSending('yes');
    const refused = await onSubmit(parsed.data);
    setSending(refused ?? 'no');
  };
  const field = (name: keyof typeof EMPTY, label: string, help: string) => {
    const detail = issues.find(({ path }) => path[0] === name)?.message;
    return (
      <TextInput
        label={label}
        description={help}
        value={texts[name]}
        onChange={(value) => setTexts({ ...texts, [name]: value })}
        {...(name === 'accessToken' ? { type: 'password' as const } : {})}
        problem={detail === undefined ? undefined : valueProblem(messages, { detail })}
      />
    );
  };
  return (
    <Card id="rp-onboard" title={onboard.title} focusOn={onboard.title}>
      <p className="rp-quiet">{onboard.text}</p>
      <SubmitForm isDisabled={sending === 'yes'} validationBehavior="aria" onSubmit={submit}>
        {field('name', onboard.name, onboard.nameHelp)}
        {field('programId', onboard.program, onboard.programHelp)}
        {field('cloneUrl', onboard.cloneUrl, onboard.cloneUrlHelp)}
        <Picker
          label={onboard.vendor}
          width="100%"
          items={GitVendor.options.map((id) => ({ id, name: vendors[id] }))}
          selectedKey={vendor}
          onSelectionChange={(key) => setVendor(GitVendor.options.find((known) => known === key) ?? vendor)}
        >
          {(item) => <Item key={item.id}>{item.name}</Item>}
        </Picker>
        {field('accessToken', onboard.accessToken, onboard.accessTokenHelp)}
        <Checkbox isSelected={challenge} onChange={setChallenge}>
          {onboard.challenge}
        </Checkbox>
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={sending === 'yes'} text={onboard.submit} />
          <TextButton isDisabled={sending === 'yes'} onPress={onCancel} text={onboard.cancel} />
        </div>
      </SubmitForm>
      {sending === 'yes' && <Status>{onboard.submitting}</Status>}
      {typeof sending === 'object' && <WriteFailed failure={sending} lost={lost.onboard} />}
    </Card>
  );
}

interface StepsProps {
  readonly repository: ExternalRepository;
  /** Returns why it was refused; undefined if it was accepted. */
  readonly onRetry: (accessToken: string | undefined) => Promise<Failure | undefined>;
}

const STEPS = ['added', 'ownership_confirmed', 'READY'] as const;

export function OnboardingSteps({ repository, onRetry }: StepsProps) {
  const messages = useMessages('sync');
  const { progress } = messages.external;
  const [token, setToken] = useState('');
  const [syncRequest, setSyncRequest] = useState<'idle' | 'requested' | Failure>('idle');
  useUnsavedEntry(token.trim() !== '', 'place', syncRequest === 'requested' ? 'saving' : 'unsaved');
  const { state, problem, challenge } = repository;
  const reached = STEPS.findIndex((step) => step === state);
  const retry = async (): Promise<void> => {
    setSyncRequest('requested');
    const refused = await onRetry(token.trim() === '' ? undefined : token.trim());
    if (refused === undefined) setToken('');
    setSyncRequest(refused ?? 'idle');
  };
  return (
    <div className="rp-stack-tight">
      <ol className="rp-onboarding" aria-label={progress.title}>
        {STEPS.map((step, index) => (
          <li
            key={step}
            className={`rp-onboarding-${markOf(state, index, reached)}`}
            aria-current={index === reached + 1 ? 'step' : undefined}
          >
            <span>{progress.steps[step]}</span>
            <span className="rp-quiet">{progress[markOf(state, index, reached)]}</span>
          </li>
        ))}
      </ol>
      {problem !== undefined && (
        <Notice tone={state === 'failed' ? 'negative' : 'warning'} role="status">
          <p>{codeText(messages, problem)}</p>
        </Notice>
      )}
      {challenge !== undefined && (
        <div className="rp-once">
          <p>{progress.challenge({ path: challenge.path, branch: challenge.branch })}</p>
          <code className="rp-once-value">{challenge.token}</code>
          <CopyButton text={challenge.token} label={progress.copyToken} />
        </div>
      )}
      {(state === 'failed' || challenge !== undefined) && (
        <form
          className="rp-paste"
          onSubmit={(event) => {
            event.preventDefault();
            void retry();
          }}
        >
          {state === 'failed' && (
            <TextInput label={progress.newToken} description={progress.newTokenHelp} type="password" value={token} onChange={setToken} />
          )}
          <TextButton variant="accent" type="submit" isDisabled={syncRequest === 'requested'} text={progress.retry} />
          {typeof syncRequest === 'object' && <FailureNotice messages={messages} failure={syncRequest} />}
        </form>
      )}
    </div>
  );
}

function markOf(state: RepositoryState, index: number, reached: number): 'done' | 'now' | 'next' {
  if (index <= reached) return 'done';
  return state !== 'failed' && index === reached + 1 ? 'now' : 'next';
}
