import { useEffect, useState } from 'react';
import type { CodeStatus } from '@repoless/contract/job.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import type { Known } from '@repoless/core/situation/situation.ts';

type CodeReading = { readonly state: 'loading' } | Known<CodeStatus>;

/** The repository and the synchronised branches of a site, and how to read them again. */
export function useCode(sync: Pick<SyncPort, 'code'>, org: string, site: string): [CodeReading, () => void] {
  const [code, setCode] = useState<CodeReading>({ state: 'loading' });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let gone = false;
    void sync.code(org, site).then((answer) => {
      if (!gone) setCode(answer);
    });
    return () => {
      gone = true;
    };
  }, [sync, org, site, round]);
  const again = (): void => {
    setCode({ state: 'loading' });
    setRound(round + 1);
  };
  return [code, again];
}
