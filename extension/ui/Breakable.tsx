import { Fragment } from 'react';

/** An address, path or account: breaks, if necessary, after its separators, and stays left-to-right in right-to-left text. */
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

/** After a separator that is followed by something. */
const SEPARATED = /(?<=[/@.:_-])(?=[^/@.:_-])/;
