import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { addressWith, isNamed, NO_ROW, onAddress, readAddress, type RowParameter } from '../host/address-state.ts';
import { AddressLink } from './AddressLink.tsx';
import { arriveAt } from './focus.ts';
import { useMessages } from './use-messages.ts';

/** Rows below it can be named by the address: see `RowLink`. */
export function LinkedRows({ children }: { readonly children: ReactNode }) {
  const address = useAddress();
  const arrived = useRef<{ readonly parameter: RowParameter; readonly name: string }>(undefined);
  useEffect(() => {
    const at = arrived.current;
    if (at !== undefined && !isNamed(address, at.parameter, at.name)) arrived.current = undefined;
  }, [address]);
  const state = useMemo(
    () => ({
      address,
      isFirst(parameter: RowParameter, name: string): boolean {
        const at = arrived.current;
        if (at !== undefined && isNamed(address, at.parameter, at.name)) return false;
        arrived.current = { parameter, name };
        return true;
      },
    }),
    [address],
  );
  return <LinkedRowsContext value={state}>{children}</LinkedRowsContext>;
}

interface LinkedRowsState {
  readonly address: ReadonlyMap<string, string>;
  /** Whether no row has received focus since the address names this one, so that it doesn't take focus again when it is rendered again. */
  isFirst(parameter: RowParameter, name: string): boolean;
}

/** Undefined if addresses for these rows lead elsewhere. */
const LinkedRowsContext = createContext<LinkedRowsState | undefined>(undefined);

/** Returns whether the address names a row, so that its containers can be opened. */
export function useNamed(parameter: RowParameter): (name: string) => boolean {
  const rows = use(LinkedRowsContext);
  return (name) => rows !== undefined && isNamed(rows.address, parameter, name);
}

interface Props {
  readonly parameter: RowParameter;
  readonly name: string;
  readonly children: ReactNode;
}

/** The name of a row as a link to the row itself; plain text where rows are not linked. */
export function RowLink({ parameter, name, children }: Props) {
  const { shell } = useMessages().general;
  const isLinked = use(LinkedRowsContext) !== undefined;
  const { element, isTarget } = useArrivalAtRow<HTMLAnchorElement>(parameter, name);
  if (!isLinked) return children;
  return (
    <AddressLink
      ref={element}
      address={addressWith({ ...NO_ROW, [parameter]: name })}
      current={isTarget ? 'location' : undefined}
      title={shell.rowLink}
      className="rp-row-link"
    >
      {children}
    </AddressLink>
  );
}

/** If the address names the row, it is marked and scrolled into view, and its element receives focus once. */
export function useArrivalAtRow<E extends HTMLElement>(parameter: RowParameter, name: string) {
  const rows = use(LinkedRowsContext);
  const element = useRef<E>(null);
  const isTarget = rows !== undefined && isNamed(rows.address, parameter, name);
  useEffect(() => {
    const row = element.current;
    // If several rows have the same name, the first one counts; a hidden one waits until it is shown.
    if (!isTarget || row === null || row.closest('[hidden]') !== null) return;
    if (rows.isFirst(parameter, name)) arriveAt(row);
  });
  return { element, isTarget };
}

/** The parameters of the window's address, kept up to date. */
export function useAddress(): ReadonlyMap<string, string> {
  const hash = useSyncExternalStore(onAddress, () => location.hash);
  return useMemo(() => readAddress(hash), [hash]);
}
