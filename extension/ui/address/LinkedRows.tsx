import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { addressWith, isNamed, NO_ROW, onAddress, readAddress, type RowParameter } from '../../app/host/address-state.ts';
import { arriveAt } from '../focus.ts';
import { useMessages } from '../use-messages.ts';
import { AddressLink } from './AddressLink.tsx';

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
  /** Whether no row has had the focus since the address names this one: it does not take it again when it is drawn anew. */
  isFirst(parameter: RowParameter, name: string): boolean;
}

/** Undefined where rows are shown that addresses lead to elsewhere. */
const LinkedRowsContext = createContext<LinkedRowsState | undefined>(undefined);

/** Tells of rows whether the address names them: what hides one is opened. */
export function useNamed(parameter: RowParameter): (name: string) => boolean {
  const rows = use(LinkedRowsContext);
  return (name) => rows !== undefined && isNamed(rows.address, parameter, name);
}

interface Props {
  readonly parameter: RowParameter;
  readonly name: string;
  readonly children: ReactNode;
}

/** What a row is called, as a link to the row itself. Elsewhere it is a name alone. */
export function RowLink({ parameter, name, children }: Props) {
  const { shell } = useMessages().general;
  const isLinked = use(LinkedRowsContext) !== undefined;
  const { element, isWanted } = useArrivalAtRow<HTMLAnchorElement>(parameter, name);
  if (!isLinked) return children;
  return (
    <AddressLink
      ref={element}
      address={addressWith({ ...NO_ROW, [parameter]: name })}
      current={isWanted ? 'location' : undefined}
      title={shell.rowLink}
      className="rp-row-link"
    >
      {children}
    </AddressLink>
  );
}

/** Where the address names the row, it is marked, comes into view, and its element has the focus once. */
export function useArrivalAtRow<E extends HTMLElement>(parameter: RowParameter, name: string) {
  const rows = use(LinkedRowsContext);
  const element = useRef<E>(null);
  const isWanted = rows !== undefined && isNamed(rows.address, parameter, name);
  useEffect(() => {
    const row = element.current;
    // Of several rows about the same the first one is it; what is hidden waits until it is shown.
    if (!isWanted || row === null || row.closest('[hidden]') !== null) return;
    if (rows.isFirst(parameter, name)) arriveAt(row);
  });
  return { element, isWanted };
}

/** The parameters of the window's address, followed. */
export function useAddress(): ReadonlyMap<string, string> {
  const hash = useSyncExternalStore(onAddress, () => location.hash);
  return useMemo(() => readAddress(hash), [hash]);
}
