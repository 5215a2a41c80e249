import { screen } from '@testing-library/react';
import { HistoryPanel } from '@repoless/extension/features/history/HistoryPanel.tsx';
import { SimulationContext, type SimulationPorts } from '@repoless/extension/ui/organization-contexts.ts';
import { createHistoryWorld, type HistoryWorld } from './history-world.ts';
import { renderInSurface } from './in-surface.tsx';
import { siteOf } from './sites-world.ts';

export const ADA = 'ada.admin@example.com';
export const BEN = 'ben.builder@example.com';

export function siteWith(admins: readonly string[], mappings: readonly string[] = ['/content/wknd/de/:/']): Record<string, unknown> {
  const site = siteOf('wknd-de', '/content/wknd/de');
  return {
    ...site,
    access: { admin: { role: { ...site.access?.admin?.role, admin: admins } } },
    public: { paths: { mappings } },
  };
}

/** A history: created, then an administrator removed by mistake, then a title set. */
export function wiped(): HistoryWorld {
  const world = createHistoryWorld();
  world.store(siteWith([ADA, BEN]), { name: 'Before the relaunch' });
  world.store(siteWith([ADA]), { user: BEN });
  world.store({ ...siteWith([ADA]), title: 'Tarnfell' });
  return world;
}

/** `portsOf` returns the ports of authors whose pages can be read. */
export function show(world: HistoryWorld, locale = 'en-US', portsOf?: (author: string) => SimulationPorts) {
  const calls = { closed: 0, restored: 0 };
  const { person } = renderInSurface(
    <SimulationContext value={portsOf}>
      <HistoryPanel
        history={world.port}
        subject={{ kind: 'site', organization: 'wknd', name: 'wknd-de' }}
        onClose={() => calls.closed++}
        onRestored={() => calls.restored++}
      />
    </SimulationContext>,
    { locale },
  );
  return { person, calls };
}

export const row = (name: RegExp) => screen.findByRole('button', { name });
