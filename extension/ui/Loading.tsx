import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { useMessages } from './use-messages.ts';

/** A progress circle, and what is being loaded. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <div className="rp-loading" role="status">
      <ProgressCircle isIndeterminate size="M" aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

/** The document's heading while nothing with its own title is on the screen. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useMessages().general.product}</h1>;
}
