import { Button } from '@adobe/react-spectrum/Button';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useMessages } from '../messages/use-messages.ts';

/** It is stored; the way back is in the history. */
export function Saved({ onHistory }: { readonly onHistory: () => void }) {
  const { review } = useMessages('access');
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <div className="rp-notice rp-notice-info" role="status" tabIndex={-1} ref={focus}>
      <div className="rp-notice-body">
        <p className="rp-notice-title">{review.saved}</p>
        <div className="rp-actions">
          <Button variant="secondary" onPress={onHistory}>
            {review.history}
          </Button>
        </div>
      </div>
    </div>
  );
}
