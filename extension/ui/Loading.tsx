import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { useMessages } from './use-messages.ts';

/** Something is on its way: a turning circle and what it is that is awaited. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <div className="rp-loading" role="status">
      <ProgressCircle isIndeterminate size="M" aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

/** The document's heading where nothing with a title of its own is on the screen yet. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useMessages().general.product}</h1>;
}
