import { Button } from '@adobe/react-spectrum/Button';
import { useEffect, useEffectEvent, useState } from 'react';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { inOrder } from '@repoless/core/sites/plan-removals.ts';
import type { FormerSite, PlannedRemoval } from '@repoless/core/sites/plan-removals.ts';
import type { LocaleSite } from '@repoless/core/sites/remove-site.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { RemovalReview } from './RemovalReview.tsx';
import { RemovalsRunView } from './RemovalsRunView.tsx';
import { useRemovals } from './use-removals.ts';
import type { RemovalsContext } from './use-removals.ts';

interface Props {
  readonly formers: readonly FormerSite[];
  readonly around: RemovalsContext;
  readonly onRemoved: (removed: readonly LocaleSite[]) => void;
  readonly onRestored: (names: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Chosen sites are removed together: what goes with each, the run, and the way back. */
export function RemoveSites({ formers, around, onRemoved, onRestored, onClose }: Props) {
  const messages = useMessages('sites');
  const { removals: texts } = messages;
  const runner = useRemovals(formers, around);
  const { removals } = runner;
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const begin = useEffectEvent(() => void runner.plan(formers));
  useEffect(() => begin(), []);
  const remove = async (planned: readonly PlannedRemoval[]): Promise<void> => onRemoved(await runner.remove(planned));
  const restore = async (removed: readonly LocaleSite[]): Promise<void> => onRestored(await runner.restore(removed));
  switch (removals.state) {
    case 'reading':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.formers.length })}>
          <Loading text={texts.reading({ read: removals.read, all: removals.formers.length })} />
          <div className="rp-actions">
            <Button variant="secondary" onPress={onClose}>
              {texts.back}
            </Button>
          </div>
        </section>
      );
    case 'failed':
      return (
        <Explanation title={texts.failed} explained={explainFailure(messages, removals.failure)}>
          <Button variant="secondary" onPress={() => void runner.plan(removals.formers)}>
            {messages.general.retry}
          </Button>
          <Button variant="secondary" onPress={onClose}>
            {texts.back}
          </Button>
        </Explanation>
      );
    case 'planned':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.planned.length })}>
          <RemovalReview
            planned={inOrder(
              removals.sites,
              removals.planned.filter(({ former }) => !leftOut.has(former.siteName)),
            )}
            onRemove={(planned) => void remove(planned)}
            onLeaveOut={(siteName) => setLeftOut(new Set([...leftOut, siteName]))}
            onBack={onClose}
          />
        </section>
      );
    case 'running':
    case 'ended':
      return (
        <section className="rp-card" aria-label={texts.title({ many: removals.formers.length })}>
          <RemovalsRunView
            run={removals}
            onStop={runner.stop}
            onAgain={(left) => void runner.plan(left)}
            onRestore={(removed) => void restore(removed)}
            onBack={onClose}
          />
        </section>
      );
    default:
      return removals satisfies never;
  }
}
