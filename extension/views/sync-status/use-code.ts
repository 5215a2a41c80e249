import { useEffect, useState } from 'react';
import type { CodeStatus } from '#contract/job.ts';
import type { SyncPort } from '#extension/setup/sync/ports.ts';
import type { Known } from '#extension/setup/situation.ts';

/** The repository and the synchronised branches of a site. */
export function useCode(sync: Pick<SyncPort, 'code'>, org: string, site: string): { readonly state: 'loading' } | Known<CodeStatus> {
  const [code, setCode] = useState<{ readonly state: 'loading' } | Known<CodeStatus>>({ state: 'loading' });
  useEffect(() => {
    let gone = false;
    void sync.code(org, site).then((answer) => {
      if (!gone) setCode(answer);
    });
    return () => {
      gone = true;
    };
  }, [sync, org, site]);
  return code;
}
