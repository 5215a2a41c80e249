import { Button } from '@adobe/react-spectrum/Button';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';

interface Props {
  readonly title: string;
  /** What it takes away, or makes. */
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  /** Something stops working with it. */
  readonly isNegative: boolean;
  /** What is said while it is being done; undefined until it is confirmed. What it makes is shown only once: nobody leaves it unasked. */
  readonly doing: string | undefined;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/**
 * A question before something permanent. It takes the place of its button, with the answers below the text, so that a double click confirms
 * nothing.
 */
export function Question({ title, text, yes, no, isNegative, doing, onYes, onNo }: Props) {
  const focus = useFocusOnArrival<HTMLHeadingElement>(title);
  useUnsavedEntry(doing !== undefined, 'place', 'making');
  return (
    <div className="rp-notice rp-notice-warning" role="group" aria-label={title}>
      <div className="rp-notice-body">
        <h4 tabIndex={-1} ref={focus}>
          {title}
        </h4>
        <p>{text}</p>
        <div className="rp-actions">
          <Button variant={isNegative ? 'negative' : 'accent'} isDisabled={doing !== undefined} onPress={onYes}>
            {doing ?? yes}
          </Button>
          <Button variant="secondary" isDisabled={doing !== undefined} onPress={onNo}>
            {no}
          </Button>
        </div>
      </div>
    </div>
  );
}
