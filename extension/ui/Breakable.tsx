import { Fragment } from 'react';

/** An address, path or account: broken, where it has to be, behind its separators; and from left to right in a text of the other direction. */
export function Breakable({ text }: { readonly text: string }) {
  let offset = 0;
  const parts = text.split(SEPARATED).map((part) => {
    const key = offset;
    offset += part.length;
    return (
      <Fragment key={key}>
        {key > 0 && <wbr />}
        {part}
      </Fragment>
    );
  });
  return <bdi>{parts}</bdi>;
}

/** Behind a separator that something follows. */
const SEPARATED = /(?<=[/@.:_-])(?=[^/@.:_-])/;
