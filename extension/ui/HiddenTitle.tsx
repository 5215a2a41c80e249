import { useMessages } from './use-messages.ts';

/** The document's heading where nothing with a title of its own is on the screen yet. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useMessages().general.product}</h1>;
}
