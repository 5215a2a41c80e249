import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { useMemo, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { lazyView } from '../../ui/lazy-component.tsx';
import type { Place } from '../../ui/organization-contexts.ts';
import { lastingStorage } from '../../host/storage.ts';
import type { Drawer } from '../../ui/use-drawer.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { UnfinishedNotice } from '../rows-run/RunProgress.tsx';
import { type MoveTarget, type Moving, storedMoves, type StoredMoves } from './stored-moves.ts';

const MoveSites = lazyView(async () => (await import('./MoveSites.tsx')).MoveSites);

interface Props {
  readonly moving: Drawer<Moving>;
  readonly isCovered: boolean;
  readonly around: {
    readonly home: Place;
    readonly portsFor: (author: string) => SetupPorts;
    readonly authors: readonly string[];
    readonly organization: string;
    readonly info: ServiceInfo;
    readonly service: string;
    readonly kept: StoredStates;
    readonly onReload: () => Promise<unknown>;
  };
  readonly onMoved: () => void;
}

export function Moves({ moving, isCovered, around, onMoved }: Props) {
  const { home, portsFor, authors, organization, info, service, kept, onReload } = around;
  const moves = useMemo(() => storedMoves(lastingStorage(), service, organization), [service, organization]);
  if (moving.subject === undefined) return isCovered ? null : <UnfinishedMoveNotice kept={moves} onGoOn={moving.open} />;
  return (
    <MoveSites
      moving={moving.subject}
      home={home}
      portsFor={portsFor}
      authors={authors}
      organization={organization}
      info={info}
      kept={moves}
      service={service}
      onClose={moving.close}
      onMoved={() => {
        onMoved();
        kept.reload();
        void onReload();
      }}
    />
  );
}

/** A move during which the tab was closed: to be continued or discarded. */
function UnfinishedMoveNotice({ kept, onGoOn }: { readonly kept: StoredMoves; readonly onGoOn: (target: MoveTarget) => void }) {
  const { move } = useMessages('sites');
  const [left, setLeft] = useState(() => kept.get());
  if (left === undefined) return null;
  const { target, begun } = left;
  const discard = (): void => {
    kept.forget();
    setLeft(undefined);
  };
  return (
    <UnfinishedNotice
      title={move.kept.title}
      begun={begun}
      text={(time) => move.kept.text({ count: target.names.length, to: target.to, time })}
      discard={move.kept.discard}
      onDiscard={discard}
    >
      <TextButton variant="accent" onPress={() => onGoOn(target)} text={move.kept.goOn} />
    </UnfinishedNotice>
  );
}
