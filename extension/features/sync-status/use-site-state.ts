import { useEffect, useState } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { readSituation } from '@repoless/core/situation/read-situation.ts';
import { siteState, stateOfSituation } from '@repoless/core/checks/site-state.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { targetOfSituation } from '@repoless/core/situation/target.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';

/** The state of the page's site: from the list at once, and as its page properties say it when it is checked. */
export function useSiteState(setup: SetupPorts, path: string, overview: SyncOverview): SiteState {
  const [checked, setChecked] = useState<{ readonly overview: SyncOverview; readonly state: SiteState }>();
  useEffect(() => {
    let isOver = false;
    const check = async (): Promise<void> => {
      const situation = await readSituation(setup, path);
      if (isOver || situation.state !== 'known' || targetOfSituation(situation.value).siteName !== overview.site) return;
      setChecked({ overview, state: stateOfSituation(situation.value) });
    };
    void check();
    return () => {
      isOver = true;
    };
  }, [setup, path, overview]);
  if (checked?.overview === overview) return checked.state;
  const { isRegistered, groups, site } = overview;
  return siteState({ registered: isRegistered, complete: groups.some(({ sites }) => sites.includes(site)) });
}
