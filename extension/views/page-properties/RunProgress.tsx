import { Button } from '@adobe/react-spectrum/Button';
import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { useWords } from '../use-words.ts';
import { announcement, runCount } from './run-state.ts';
import type { Run } from './run-state.ts';

/** How far a run is, and the way to stop it; the live region stays, so that the last sentence is heard. */
export function RunProgress({ run, onStop }: { readonly run: Run; readonly onStop: () => void }) {
  const words = useWords();
  const sentence = announcement(words, run);
  if (run.state !== 'running') {
    return (
      <p className="rp-hidden" role="status" aria-live="polite">
        {sentence}
      </p>
    );
  }
  const { done, total } = runCount(run);
  return (
    <div className="rp-running">
      <ProgressBar
        label={run.plan.purpose === 'undo' ? words.run.progressUndo : words.run.progress}
        value={done}
        maxValue={total}
        valueLabel={words.run.count(done, total)}
        width="100%"
      />
      <div className="rp-running-foot">
        <p role="status" aria-live="polite">
          {run.stopping ? words.run.stopping : sentence}
        </p>
        <Button variant="secondary" isDisabled={run.stopping} onPress={onStop}>
          {words.run.stop}
        </Button>
      </div>
    </div>
  );
}
