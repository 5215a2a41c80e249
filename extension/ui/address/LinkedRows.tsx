import { useEffect, useMemo, useRef } from 'react';
import type { ReactNode } from 'react';
import { LinkedRowsContext } from './linked-rows-context.ts';
import { isNamed } from './row-parameters.ts';
import type { RowParameter } from './row-parameters.ts';
import { useAddress } from './use-address.ts';

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
