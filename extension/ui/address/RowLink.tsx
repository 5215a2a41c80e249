import { use, useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { addressWith } from '../../app/host/address-state.ts';
import { useMessages } from '../use-messages.ts';
import { arriveAt } from '../arrive-at.ts';
import { AddressLink } from './AddressLink.tsx';
import { LinkedRowsContext } from './linked-rows-context.ts';
import { isNamed, NO_ROW } from './row-parameters.ts';
import type { RowParameter } from './row-parameters.ts';

interface Props {
  readonly parameter: RowParameter;
  readonly name: string;
  readonly children: ReactNode;
}

/** What a row is called, as a link to the row itself. Where the address names it, it is marked, comes into view, and has the focus once. Elsewhere it is a name alone. */
export function RowLink({ parameter, name, children }: Props) {
  const { shell } = useMessages().general;
  const rows = use(LinkedRowsContext);
  const link = useRef<HTMLAnchorElement>(null);
  const isWanted = rows !== undefined && isNamed(rows.address, parameter, name);
  useEffect(() => {
    const element = link.current;
    // Of several rows about the same the first one is it; what is hidden waits until it is shown.
    if (!isWanted || element === null || element.closest('[hidden]') !== null) return;
    if (rows.isFirst(parameter, name)) arriveAt(element);
  });
  if (rows === undefined) return children;
  return (
    <AddressLink
      ref={link}
      address={addressWith({ ...NO_ROW, [parameter]: name })}
      current={isWanted ? 'location' : undefined}
      title={shell.rowLink}
      className="rp-row-link"
    >
      {children}
    </AddressLink>
  );
}
