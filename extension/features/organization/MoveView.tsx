import { Button } from '@adobe/react-spectrum/Button';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { type LocaleSite, type Moved, removeLocaleSite, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import type { RowStep } from '@repoless/core/sites/rows.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../ui/Notice.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useActiveRun } from '../leaving/use-guarded.ts';

interface Props {
  readonly move: Move;
  readonly onRetry: () => void;
  readonly onBring: () => void;
}

/** A removal, or a site's way back: under way, failed with the way on, or done. */
export function MoveView({ move, onRetry, onBring }: Props) {
  const messages = useMessages('sites');
  const { removal } = messages;
  const focus = useFocusOnArrival<HTMLDivElement>(move.state === 'ended' ? move : undefined);
  if (move.state === 'idle') return null;
  const name = move.site.siteName;
  const removes = move.purpose === 'remove';
  if (move.state === 'running') {
    const step = move.step === undefined ? '' : ` ${removal.steps[move.step]}…`;
    return <Loading text={`${removes ? removal.running({ site: name }) : removal.bringing({ site: name })}${step}`} />;
  }
  if (move.moved.outcome !== 'done') {
    const explained = move.moved.outcome === 'failed' ? explainRow(messages, move.moved.problem) : { sentence: removal.stopped };
    return (
      <Explanation
        title={removes ? removal.failed({ site: name }) : removal.bringFailed({ site: name })}
        explained={explained}
        focus={focus}
      >
        <Button variant="accent" onPress={onRetry}>
          {removal.retry}
        </Button>
      </Explanation>
    );
  }
  return (
    <Notice
      tone="positive"
      icon={CheckmarkCircle}
      role="status"
      title={removes ? removal.removed({ site: name }) : removal.back({ site: name })}
      focus={focus}
      actions={
        removes ? (
          <Button variant="secondary" onPress={onBring}>
            {removal.bring}
          </Button>
        ) : undefined
      }
    />
  );
}

type Move =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly purpose: Purpose; readonly site: LocaleSite; readonly step?: RowStep }
  | { readonly state: 'ended'; readonly purpose: Purpose; readonly site: LocaleSite; readonly moved: Moved };

type Purpose = 'remove' | 'restore';

interface Mover {
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

/** A site was made from another one: what is to do now. */
export function Cloned({ name, source }: { readonly name: string; readonly source: string }) {
  const { clone } = useMessages('sites');
  return (
    <Notice tone="positive" icon={CheckmarkCircle} role="status" title={clone.created({ site: name, source })}>
      <p className="rp-next">{clone.next}</p>
    </Notice>
  );
}
