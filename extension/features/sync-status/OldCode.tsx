import { Button } from '@adobe/react-spectrum/Button';
import type { JobStatus } from '@repoless/contract/job.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { compareCode, type Comparison, oldCodeVerdict } from '@repoless/core/sync/compare-code.ts';
import type { BranchPlace, BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import type { SyncState } from '@repoless/core/sync/sync-state.ts';
import { useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { LastDeliveries } from '../external-repository/ExternalRepository.tsx';

interface Props {
  readonly group: RepositoryGroup;
  readonly place: BranchPlace;
  readonly branch: string;
  readonly sync: Pick<SyncPort, 'look'>;
  readonly builds: BuildManagementPort | undefined;
  readonly status: JobStatus;
  readonly standing: SyncState;
}

/** "The site still shows old code": the last push compared with the served commit, what that means, and the deliveries, which can be sent again. */
export function OldCode({ group, place, branch, sync, builds, status, standing }: Props) {
  const messages = useMessages('sync');
  const { oldCode } = messages.sync;
  const [compared, setCompared] = useState<Known<Comparison> | 'no' | 'asked'>('no');
  const pushes = builds === undefined ? undefined : { builds, repository: group.repo };
  const compare = async (): Promise<void> => {
    setCompared('asked');
    setCompared(await compareCode({ sync, code: group, pushes }, place, branch, status));
  };
  const known = typeof compared === 'object' && compared.state === 'known' ? compared.value : undefined;
  const verdict = known === undefined ? undefined : oldCodeVerdict(known, standing);
  return (
    <div className="rp-stack-tight">
      <p className="rp-quiet">{oldCode.text}</p>
      <div>
        <Button variant="secondary" isDisabled={compared === 'asked'} onPress={() => void compare()}>
          {compared === 'asked' ? oldCode.checking : oldCode.check}
        </Button>
      </div>
      {typeof compared === 'object' && compared.state === 'failed' && (
        <Explanation explained={explainFailure(messages, compared.failure)} />
      )}
      <div role="status">
        {verdict !== undefined && (
          <>
            <p>{oldCode[verdict]}</p>
            {known?.detail !== undefined && <p className="rp-quiet">{known.detail}</p>}
            <p className="rp-next">{oldCode.next[verdict]}</p>
          </>
        )}
      </div>
      {known?.unread !== undefined && <Explanation explained={explainFailure(messages, known.unread)} />}
      {known !== undefined && <Commits comparison={known} />}
      {known !== undefined && builds !== undefined && (
        <LastDeliveries builds={builds} organization={place.org} id={group.repo} arrival={known.arrival ?? 'webhook'} />
      )}
    </div>
  );
}

function Commits({ comparison }: { readonly comparison: Comparison }) {
  const { oldCode } = useMessages('sync').sync;
  const { push, head, served } = comparison;
  return (
    <dl className="rp-facts">
      {push !== 'untold' && (
        <div>
          <dt>{oldCode.pushed}</dt>
          <dd>
            {push === undefined ? (
              oldCode.none
            ) : (
              <>
                <code>{push.sha.slice(0, 10)}</code> <Age time={push.time} />
                {push.refusal !== undefined && <p>{push.refusal}</p>}
              </>
            )}
          </dd>
        </div>
      )}
      {head !== undefined && (
        <div>
          <dt>{oldCode.head}</dt>
          <dd>
            <code title={head}>{head.slice(0, 10)}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>{oldCode.served}</dt>
        <dd>{served === undefined ? oldCode.none : <code title={served}>{served.slice(0, 10)}</code>}</dd>
      </div>
    </dl>
  );
}
