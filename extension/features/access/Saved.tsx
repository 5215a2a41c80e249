import { Button } from '@adobe/react-spectrum/Button';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  /** There is another change by now: nothing is said of this one, and the way back stays. */
  readonly isOver: boolean;
  readonly onHistory: () => void;
}

/** It is stored; the way back is in the history. */
export function Saved({ isOver, onHistory }: Props) {
  const { review } = useMessages('access');
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <div className="rp-notice rp-notice-info" role="status" tabIndex={-1} ref={focus}>
      <div className="rp-notice-body">
        {!isOver && <p className="rp-notice-title">{review.saved}</p>}
        <div className="rp-actions">
          <Button variant="secondary" onPress={onHistory}>
            {review.history}
          </Button>
        </div>
      </div>
    </div>
  );
}
