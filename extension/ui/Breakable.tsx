import { Fragment } from 'react';

/** An address, path or account that is broken, where it has to be, behind its separators and not in the middle of a word. */
export function Breakable({ text }: { readonly text: string }) {
  let offset = 0;
  return text.split(SEPARATED).map((part) => {
    const key = offset;
    offset += part.length;
    return (
      <Fragment key={key}>
        {key > 0 && <wbr />}
        {part}
      </Fragment>
    );
  });
}

/** Behind a separator that something follows. */
const SEPARATED = /(?<=[/@.:_-])(?=[^/@.:_-])/;
