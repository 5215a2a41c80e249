import { Fragment } from 'react';

/** An address, path or account: broken, where it has to be, behind its separators; and from left to right in a text of the other direction. */
export function Breakable({ text }: { readonly text: string }) {
  return (
    <bdi>
      {partsOf(text).map(({ part, offset }) => (
        <Fragment key={offset}>
          {offset > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

function partsOf(text: string) {
  let offset = 0;
  return text.split(SEPARATED).map((part) => {
    const start = offset;
    offset += part.length;
    return { part, offset: start };
  });
}

/** Behind a separator that something follows. */
const SEPARATED = /(?<=[/@.:_-])(?=[^/@.:_-])/;
