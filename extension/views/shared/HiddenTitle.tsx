import { useWords } from '../use-words.ts';

/** The document's heading where nothing with a title of its own is on the screen yet. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useWords().general.product}</h1>;
}
