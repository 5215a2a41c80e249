import { useMemo, useSyncExternalStore } from 'react';
import { onAddress, readAddress } from '../../app/host/address-state.ts';

/** The parameters of the window's address, followed. */
export function useAddress(): ReadonlyMap<string, string> {
  const hash = useSyncExternalStore(onAddress, () => location.hash);
  return useMemo(() => readAddress(hash), [hash]);
}
