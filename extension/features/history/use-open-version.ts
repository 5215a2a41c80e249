import { useCallback, useState } from 'react';
import { setAddressParameters, readAddress } from '../../app/host/address-state.ts';

/** Which version is open. `isAddressed`: the address of the window says it at first, and keeps it. */
export function useOpenVersion(isAddressed: boolean): [number | undefined, (version: number | undefined) => void] {
  const [version, setVersion] = useState(() => (isAddressed ? versionIn(location.hash) : undefined));
  const open = useCallback(
    (next: number | undefined): void => {
      setVersion(next);
      if (isAddressed) setAddressParameters({ version: next === undefined ? '' : String(next) });
    },
    [isAddressed],
  );
  return [version, open];
}

function versionIn(hash: string): number | undefined {
  const text = readAddress(hash).get('version') ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
