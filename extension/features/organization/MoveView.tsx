import { Button } from '@adobe/react-spectrum/Button';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { Move } from './use-move.ts';

interface Props {
  readonly move: Move;
  readonly onRetry: () => void;
  readonly onBring: () => void;
}

/** A removal, or a site's way back: under way, failed with the way on, or done. */
export function MoveView({ move, onRetry, onBring }: Props) {
  const messages = useMessages('sites');
  const { removal } = messages;
  const focus = useFocusOnArrival<HTMLDivElement>(move.state === 'ended' ? move : undefined);
  if (move.state === 'idle') return null;
  const name = move.site.siteName;
  const removes = move.purpose === 'remove';
  if (move.state === 'running') {
    const step = move.step === undefined ? '' : ` ${removal.steps[move.step]}…`;
    return <Loading text={`${removes ? removal.running({ site: name }) : removal.bringing({ site: name })}${step}`} />;
  }
  if (move.moved.outcome !== 'done') {
    const explained = move.moved.outcome === 'failed' ? explainRow(messages, move.moved.problem) : { sentence: removal.stopped };
    return (
      <Explanation
        title={removes ? removal.failed({ site: name }) : removal.bringFailed({ site: name })}
        explained={explained}
        focus={focus}
      >
        <Button variant="accent" onPress={onRetry}>
          {removal.retry}
        </Button>
      </Explanation>
    );
  }
  return (
    <div className="rp-notice rp-notice-positive" role="status" tabIndex={-1} ref={focus}>
      <CheckmarkCircle size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{removes ? removal.removed({ site: name }) : removal.back({ site: name })}</p>
        {removes && (
          <div className="rp-actions">
            <Button variant="secondary" onPress={onBring}>
              {removal.bring}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
