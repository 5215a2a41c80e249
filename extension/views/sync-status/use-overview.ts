import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { readOverview } from '#extension/setup/sync/read-overview.ts';
import type { SyncOverview } from '#extension/setup/sync/read-overview.ts';
import type { Known } from '#extension/setup/situation.ts';

export type OverviewState = { readonly state: 'loading' } | Known<SyncOverview>;

/** The sites of the page's organization, or of the one that is given, read when the rail opens and when `read` is called. */
export function useOverview(
  ports: Pick<SetupPorts, 'service' | 'authoring'>,
  path: string,
  organization?: string,
): [OverviewState, () => void] {
  const [overview, setOverview] = useState<OverviewState>({ state: 'loading' });
  const latest = useRef(0);
  const read = useCallback(async (): Promise<void> => {
    const mine = ++latest.current;
    const answer = await readOverview(ports, path, organization);
    if (mine === latest.current) setOverview(answer);
  }, [ports, path, organization]);
  useEffect(() => {
    const counter = latest;
    void read();
    return () => void counter.current++;
  }, [read]);
  const again = (): void => {
    setOverview((now) => (now.state === 'known' ? now : { state: 'loading' }));
    void read();
  };
  return [overview, again];
}
