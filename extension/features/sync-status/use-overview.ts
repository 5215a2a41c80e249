import { useCallback, useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { readOverview } from '@repoless/core/sync/read-overview.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';
import type { Failure, Known } from '@repoless/core/situation/situation.ts';

export type OverviewState =
  | { readonly state: 'loading' }
  | Exclude<Known<SyncOverview>, { state: 'known' }>
  /** `failure`: why the last reading afresh came to nothing; what was read before is still shown. */
  | { readonly state: 'known'; readonly value: SyncOverview; readonly failure?: Failure };

/**
 * The sites of the page's organization, or of the one that is given, read when the rail opens and when `read` is called. What is known
 * stays while that fails: a secret that is shown only once hangs on it.
 */
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
    if (mine === latest.current) setOverview((now) => next(now, answer));
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

function next(now: OverviewState, answer: Known<SyncOverview>): OverviewState {
  return answer.state === 'failed' && now.state === 'known' ? { ...now, failure: answer.failure } : answer;
}
