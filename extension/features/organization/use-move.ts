import { useEffect, useRef, useState } from 'react';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-site.ts';
import type { LocaleSite, Moved } from '@repoless/core/sites/remove-site.ts';
import type { RowStep } from '@repoless/core/sites/rows.ts';
import { useActiveRun } from '../leaving/use-active-run.ts';

export type Move =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly purpose: Purpose; readonly site: LocaleSite; readonly step?: RowStep }
  | { readonly state: 'ended'; readonly purpose: Purpose; readonly site: LocaleSite; readonly moved: Moved };

type Purpose = 'remove' | 'restore';

export interface Mover {
  readonly move: Move;
  start(purpose: Purpose, ports: SetupPorts, site: LocaleSite): Promise<Moved>;
  dismiss(): void;
}

/** Removes a site or brings it back, one at a time. */
export function useMove(): Mover {
  const [move, setMove] = useState<Move>({ state: 'idle' });
  useActiveRun(move.state === 'running', 'view');
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  return {
    move,
    start: async (purpose, ports, site) => {
      const controller = new AbortController();
      stopper.current = controller;
      setMove({ state: 'running', purpose, site });
      const moving = { signal: controller.signal, onStep: (step: RowStep) => setMove({ state: 'running', purpose, site, step }) };
      const moved = await (purpose === 'remove' ? removeLocaleSite : restoreLocaleSite)(ports, site, moving);
      setMove({ state: 'ended', purpose, site, moved });
      return moved;
    },
    dismiss: () => setMove({ state: 'idle' }),
  };
}
