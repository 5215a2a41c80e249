import { Button } from '@adobe/react-spectrum/Button';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useMessages } from '../messages/use-messages.ts';

interface Props {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asked before a change that is not saved is lost. */
export function LeaveQuestion({ onStay, onLeave }: Props) {
  const { unsaved } = useMessages('access');
  const question = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <div className="rp-notice rp-notice-warning" role="alert" tabIndex={-1} ref={question}>
      <div className="rp-notice-body">
        <p className="rp-notice-title">{unsaved.title}</p>
        <p>{unsaved.text}</p>
        <div className="rp-actions">
          <Button variant="secondary" onPress={onStay}>
            {unsaved.stay}
          </Button>
          <Button variant="negative" style="outline" onPress={onLeave}>
            {unsaved.leave}
          </Button>
        </div>
      </div>
    </div>
  );
}
