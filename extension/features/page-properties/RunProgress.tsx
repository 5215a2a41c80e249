import { Button } from '@adobe/react-spectrum/Button';
import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import type { Messages } from '@repoless/core/messages/language.ts';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { announcement, type Run, runCount } from './run-state.ts';

interface Props {
  readonly run: Run;
  /** What the plan calls its steps. */
  readonly steps: Messages['steps'];
  readonly onStop: () => void;
}

/** How far a run is, and the way to stop it. The live region is always there, so that every sentence is heard. */
export function RunProgress({ run, steps, onStop }: Props) {
  const messages = useMessages('setup');
  const sentence = run.state === 'running' && run.stopping ? messages.run.stopping : announcement(messages, steps, run);
  return (
    <>
      <p className="rp-hidden" role="status">
        {sentence}
      </p>
      {run.state === 'running' && <Running run={run} sentence={sentence} onStop={onStop} />}
    </>
  );
}

interface RunningProps {
  readonly run: Extract<Run, { state: 'running' }>;
  readonly sentence: string;
  readonly onStop: () => void;
}

/** Takes the focus, because the button that began the run is gone. */
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
        <Button variant="secondary" isDisabled={run.stopping} onPress={onStop}>
          {messages.run.stop}
        </Button>
      </div>
    </div>
  );
}
