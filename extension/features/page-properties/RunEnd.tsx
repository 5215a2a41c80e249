import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import type { RunResult } from '@repoless/core/plan/plan.ts';
import { isSignedOut } from '@repoless/core/situation/call.ts';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import { TextButton } from '../../ui/TextButton.tsx';
import { Explanation, Notice, Announcement } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { announcement, isOutOfReach, isPlanChanged, type Run, runCount } from './use-run.ts';

interface Props {
  readonly run: Extract<Run, { state: 'ended' }>;
  /** The plan's messages for its steps. */
  readonly steps: Messages['steps'];
  /** Absent if another plan must be reviewed first. */
  readonly onRetry: (() => void) | undefined;
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The end of a run that did not complete: stopped or failed, and what to do. Receives focus. */
export function RunEnd({ run, steps, onRetry, onRead, onSignedOut }: Props) {
  const spoken = useMessages('setup');
  const { result } = run;
  const isOfBuilds = result.outcome === 'failed' && result.failure.system === 'build-management';
  const more = useMessages(isOfBuilds ? 'sync' : 'first-view');
  const messages = 'external' in more ? { ...spoken, external: more.external } : spoken;
  const focus = useFocusOnArrival<HTMLDivElement>(result);
  switch (result.outcome) {
    case 'complete':
      return null;
    case 'stopped':
      return (
        <Notice
          tone="info"
          icon={InfoOutline}
          focus={focus}
          actions={onRetry !== undefined && <TextButton variant="accent" onPress={onRetry} text={messages.run.goOn} />}
        >
          <p>{messages.run.stopped}</p>
        </Notice>
      );
    case 'failed': {
      const isUntouched = run.progress.size === 1;
      const explained = explainFailure(messages, result.failure);
      const id = result.failure.problem?.requestId;
      const details = [...fieldSentences(messages, result.failure), ...(id === undefined ? [] : [messages.general.requestId({ id })])];
      return (
        <Explanation
          title={
            result.step === 'read'
              ? messages.run.unread({ kept: isUntouched ? 'no' : 'yes' })
              : isPlanChanged(result)
                ? messages.run.planChanged
                : messages.run.failed({ title: steps[result.step].title })
          }
          explained={
            isInterrupted(result) && result.step !== 'read'
              ? { ...explained, next: `${explained.next ?? ''} ${messages.run.kept}`.trim() }
              : explained
          }
          details={details}
          focus={focus}
        >
          {onRetry !== undefined && (
            <TextButton variant="accent" onPress={onRetry} text={result.step === 'read' ? messages.general.retry : messages.run.retry} />
          )}
          {isSignedOut(result.failure) ? (
            <TextButton onPress={() => onSignedOut(onRetry)} text={messages.signIn.inWindow} />
          ) : (
            <TextButton onPress={onRead} text={messages.run.readAgain} />
          )}
        </Explanation>
      );
    }
    default:
      return result satisfies never;
  }
}

/** The step itself has no problem. */
function isInterrupted(result: RunResult): boolean {
  return isOutOfReach(result) || (result.outcome === 'failed' && result.failure.problem?.code === 'SHUTTING_DOWN');
}

interface RunProgressProps {
  readonly run: Run;
  readonly steps: Messages['steps'];
  readonly onStop: () => void;
}

/** The progress of a run, and the button that stops it. The live region is always mounted, so that every sentence is announced. */
export function RunProgress({ run, steps, onStop }: RunProgressProps) {
  const messages = useMessages('setup');
  const sentence = run.state === 'running' && run.stopping ? messages.run.stopping : announcement(messages, steps, run);
  return (
    <>
      <Announcement>{sentence}</Announcement>
      {run.state === 'running' && <Running run={run} sentence={sentence} onStop={onStop} />}
    </>
  );
}

interface RunningProps {
  readonly run: Extract<Run, { state: 'running' }>;
  readonly sentence: string;
  readonly onStop: () => void;
}

/** Takes focus, because the button that started the run is no longer there. */
function Running({ run, sentence, onStop }: RunningProps) {
  const messages = useMessages('setup');
  const label = run.plan.purpose === 'undo' ? messages.run.progressUndo : messages.run.progress;
  const focus = useFocusOnArrival<HTMLDivElement>(run.plan);
  const { done, total } = runCount(run);
  return (
    <div className="rp-running" role="group" aria-label={label} tabIndex={-1} ref={focus}>
      <ProgressBar label={label} value={done} maxValue={total} valueLabel={messages.run.count({ done, total })} width="100%" />
      <div className="rp-running-foot">
        <p aria-hidden="true">{sentence}</p>
        <TextButton isDisabled={run.stopping} onPress={onStop} text={messages.run.stop} />
      </div>
    </div>
  );
}
