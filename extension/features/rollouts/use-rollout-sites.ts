import { useCallback, useEffect, useRef, useState } from 'react';
import type { RolloutSite } from '@repoless/contract/rollout.ts';
import type { RolloutSiteFilter, RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import { useReading } from '../../ui/use-reading.ts';
import type { Reading } from '../../ui/use-reading.ts';

interface RolloutSitesQuery {
  readonly organization: string;
  readonly rollout: string;
  /** Absent: all. */
  readonly which: RolloutSiteFilter | undefined;
  /** Something that is another one when sites have become something else: they are read anew then. */
  readonly stamp: string;
  /** Sites change all the time during a rollout: if several pages are shown, they are read again at its end. */
  readonly goesOn: boolean;
}

interface ReadSites {
  readonly sites: readonly RolloutSite[];
  readonly isMore: boolean;
}

export interface RolloutSites {
  readonly reading: Reading<ReadSites>;
  readMore(): void;
  again(): void;
}

/** The sites of a rollout, page by page as far as they are wanted. */
export function useRolloutSites(port: RolloutsPort, { organization, rollout, which, stamp, goesOn }: RolloutSitesQuery): RolloutSites {
  const [pages, setPages] = useState(1);
  const read = useCallback(async (): Promise<Known<ReadSites>> => {
    const sites: RolloutSite[] = [];
    let after: string | undefined;
    for (let page = 0; page < pages; page++) {
      const answer = await port.sites(organization, rollout, which, after);
      if (answer.state !== 'known') return answer;
      sites.push(...answer.value.sites);
      after = answer.value.next;
      if (after === undefined) break;
    }
    return { state: 'known', value: { sites, isMore: after !== undefined } };
  }, [port, organization, rollout, which, pages]);
  const [reading, again, reread] = useReading(read, () => undefined);
  const seen = useRef(stamp);
  useEffect(() => {
    if (seen.current === stamp || (goesOn && pages > 1)) return;
    seen.current = stamp;
    void reread();
  }, [stamp, goesOn, pages, reread]);
  return { reading, readMore: () => setPages(pages + 1), again };
}
