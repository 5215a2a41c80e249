import { Button } from '@adobe/react-spectrum/Button';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { ExternalRepository } from '@repoless/contract/build-management.ts';
import type { RepositoryState } from '@repoless/contract/code-check.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { Notice, Explanation } from '../../ui/Notice.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../leaving/use-guarded.ts';

interface Props {
  readonly repository: ExternalRepository;
  /** Returns why it was refused; undefined if it was accepted. */
  readonly onRetry: (accessToken: string | undefined) => Promise<Failure | undefined>;
}

const STEPS = ['added', 'ownership_confirmed', 'READY'] as const;

export function OnboardingSteps({ repository, onRetry }: Props) {
  const messages = useMessages('sync');
  const { progress } = messages.external;
  const [token, setToken] = useState('');
  const [asking, setAsking] = useState<'idle' | 'asked' | Failure>('idle');
  useUnsavedEntry(token.trim() !== '', 'place', asking === 'asked' ? 'saving' : 'unsaved');
  const { state, problem, challenge } = repository;
  const reached = STEPS.findIndex((step) => step === state);
  const retry = async (): Promise<void> => {
    setAsking('asked');
    const refused = await onRetry(token.trim() === '' ? undefined : token.trim());
    if (refused === undefined) setToken('');
    setAsking(refused ?? 'idle');
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
          <p>{problem}</p>
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
            <TextField
              label={progress.newToken}
              description={progress.newTokenHelp}
              type="password"
              autoComplete="off"
              value={token}
              onChange={setToken}
              width="100%"
            />
          )}
          <Button variant="accent" type="submit" isDisabled={asking === 'asked'}>
            {progress.retry}
          </Button>
          {typeof asking === 'object' && <Explanation explained={explainFailure(messages, asking)} />}
        </form>
      )}
    </div>
  );
}

function markOf(state: RepositoryState, index: number, reached: number): 'done' | 'now' | 'next' {
  if (index <= reached) return 'done';
  return state !== 'failed' && index === reached + 1 ? 'now' : 'next';
}
