import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import { use } from 'react';
import { lazyView } from '../../ui/lazy-component.tsx';
import { RolloutsContext } from '../../ui/organization-contexts.ts';
import type { Drawer } from '../../ui/use-drawer.ts';
import type { Changing } from './ChangeMany.tsx';

const ChangeMany = lazyView(async () => (await import('./ChangeMany.tsx')).ChangeMany, { parts: ['rollouts'] });

interface Props {
  readonly change: Drawer<Changing>;
  readonly history: HistoryPort;
  readonly organization: string;
  readonly onStarted: () => void;
}

export function Changes({ change, history, organization, onStarted }: Props) {
  const rollouts = use(RolloutsContext);
  if (change.subject === undefined || rollouts === undefined) return null;
  return (
    <ChangeMany
      port={rollouts.port}
      history={history}
      organization={organization}
      changing={change.subject}
      onClose={change.close}
      onStarted={(id) => {
        change.close();
        onStarted();
        rollouts.started(id);
      }}
    />
  );
}
