import { Suspense, useMemo } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { lastingStorage } from '../../ui/stored-run.ts';
import { Loading } from '../../ui/Loading.tsx';
import type { Place } from '../../ui/place.ts';
import type { Drawer } from '../../ui/use-drawer.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { storedMoves } from './stored-moves.ts';
import { UnfinishedMoveNotice } from './UnfinishedMoveNotice.tsx';
import type { Moving } from './moving.ts';
import { late } from '../../ui/lazy-component.tsx';

const MoveSites = late(async () => (await import('./MoveSites.tsx')).MoveSites);

interface Props {
  readonly moving: Drawer<Moving>;
  /** Something else is in the place of the list. */
  readonly isCovered: boolean;
  readonly around: {
    readonly home: Place;
    readonly portsFor: (author: string) => SetupPorts;
    readonly organization: string;
    readonly info: ServiceInfo;
    readonly service: string;
    readonly kept: StoredStates;
    readonly onReload: () => Promise<unknown>;
  };
}

/** The move of chosen sites in the place of the list, or above the list one that was not finished. */
export function Moves({ moving, isCovered, around }: Props) {
  const { general } = useMessages('sites');
  const { home, portsFor, organization, info, service, kept, onReload } = around;
  const moves = useMemo(() => storedMoves(lastingStorage(), service, organization), [service, organization]);
  if (moving.subject === undefined) return isCovered ? null : <UnfinishedMoveNotice kept={moves} onGoOn={moving.open} />;
  return (
    <Suspense fallback={<Loading text={general.loading} />}>
      <MoveSites
        moving={moving.subject}
        home={home}
        portsFor={portsFor}
        organization={organization}
        info={info}
        kept={moves}
        service={service}
        onClose={moving.close}
        onMoved={() => {
          kept.reload();
          void onReload();
        }}
      />
    </Suspense>
  );
}
