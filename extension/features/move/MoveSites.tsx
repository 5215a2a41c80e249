import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type ApplyOutcome, rowsLeft, type ShownSteps } from '@repoless/core/sites/apply-rows.ts';
import { isLeft } from '@repoless/core/sites/row-problems.ts';
import type { Batch, RowStatus, SiteRow } from '@repoless/core/sites/rows.ts';
import { useMemo, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import type { OpenedEnvironment } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ProductionForm } from '../production/ProductionForm.tsx';
import { ReadingProgress } from '../rows-run/RunProgress.tsx';
import { RunView } from '../rows-run/RunView.tsx';
import { useRowsRun } from '../rows-run/rows-run.ts';
import { MoveReview } from './MoveReview.tsx';
import { type MoveTarget, type Moving, reversed, type StoredMoves, useMovePlan } from './stored-moves.ts';

export interface MoveProps {
  readonly moving: Moving;
  readonly home: OpenedEnvironment;
  readonly portsFor: (author: string) => SetupPorts;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly authors: readonly string[];
  readonly storedMoves: StoredMoves;
  readonly service: string;
  readonly onClose: () => void;
  readonly onMoved: () => void;
}

export function MoveSites({ moving, home, portsFor, authors, organization, info, storedMoves, service, onClose, onMoved }: MoveProps) {
  const messages = useMessages('sites');
  const { move } = messages;
  const [target, setTarget] = useState('to' in moving ? moving : undefined);
  // These are recreated at each rendering, but equivalent.
  const [context] = useState({ portsFor, organization, info });
  const plan = useMovePlan(target, context);
  const runner = useRowsRun();
  const { run } = runner;
  const here = useMemo<OpenedEnvironment>(
    () => (moving.from === home.author ? home : { ...home, author: moving.from, environments: [], technicalAccount: '' }),
    [home, moving.from],
  );
  const settle = (going: MoveTarget, { results }: ApplyOutcome): void => {
    const left = rowsLeft(results).map(({ siteName }) => siteName);
    if (left.length === 0) storedMoves.remove();
    else storedMoves.store({ target: { ...going, names: left }, started: home.ports.now().toISOString() });
    onMoved();
  };
  const start = async (going: MoveTarget, batch: Batch, rows: readonly SiteRow[], shown: ShownSteps): Promise<void> => {
    storedMoves.store({ target: { ...going, names: rows.map(({ siteName }) => siteName) }, started: home.ports.now().toISOString() });
    settle(going, await runner.start(portsFor(going.to), batch, rows, { shown }));
  };
  const replan = (next: MoveTarget): void => {
    runner.leave();
    setTarget(next);
  };
  if (target === undefined) {
    return (
      <ProductionForm
        here={here}
        info={info}
        portsOf={portsFor}
        authors={authors}
        messages={move.place}
        onEnvironment={({ author: to, technicalAccount }) => {
          // A page that the person named is likelier to show the account than one that the plan finds.
          const account = technicalAccount === '' ? {} : { account: technicalAccount };
          setTarget({ from: moving.from, to, names: moving.names, paths: [], keepsAccount: false, ...account });
        }}
        onCancel={onClose}
      />
    );
  }
  if (run.state !== 'idle') {
    const isMoved = (status: RowStatus) =>
      status.state === 'done' ? status.outcome === 'changed' : status.state === 'failed' && isLeft(status.problem);
    const moved = [...run.statuses].flatMap(([name, status]) => (isMoved(status) ? [name] : []));
    return (
      <section className="rp-card" aria-label={move.title({ count: run.rows.length })}>
        <RunView
          run={run}
          service={service}
          mode="framed"
          messages={move.run}
          onStop={runner.stop}
          onRetry={(rows) => void runner.retry(portsFor(target.to), run.batch, rows, {}).then((outcome) => settle(target, outcome))}
          onCorrect={(rows) => replan({ ...target, names: rows.map(({ siteName }) => siteName) })}
          onTree={onClose}
        >
          {run.state === 'ended' && moved.length > 0 && (
            <TextButton onPress={() => replan(reversed(target, moved))} text={move.undo({ count: moved.length })} />
          )}
        </RunView>
      </section>
    );
  }
  return (
    <section className="rp-card" aria-label={move.title({ count: target.names.length })}>
      {plan.state === 'reading' && (
        <ReadingProgress
          text={move.reading({ read: plan.read, all: target.names.length })}
          read={plan.read}
          all={target.names.length}
          onCancel={onClose}
        />
      )}
      {plan.state === 'failed' && (
        <FailureNotice title={move.failed} failure={plan.failure}>
          <TextButton onPress={() => setTarget({ ...target })} text={messages.general.retry} />
          <TextButton onPress={onClose} text={move.back} />
        </FailureNotice>
      )}
      {plan.state === 'ready' && (
        <MoveReview
          target={target}
          plan={plan}
          onPlan={replan}
          onApply={(rows, shown) => void start(target, plan.batch, rows, shown)}
          onBack={onClose}
        />
      )}
    </section>
  );
}
