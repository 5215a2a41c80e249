import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import type { VersionEntry } from '@repoless/contract/history.ts';
import { restoredPaths } from '@repoless/core/mappings/read-simulation.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { readWithRemovalFacts } from '@repoless/core/run/run-plan.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { planUndo } from '@repoless/core/undo/plan-undo.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { Suspense, useEffect, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { usePrintedTime } from '../../ui/Age.tsx';
import { Loading, Notice } from '../../ui/Notice.tsx';
import { useFocusBack, useFocusOnArrival } from '../../ui/focus.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useGraveConfirmation } from '../../ui/Consequences.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { RunEnd, RunProgress } from './RunEnd.tsx';
import { Blocks, StepList } from './StepList.tsx';
import { stepViews } from './step-view.ts';
import { isPlanChanged, progressOf, type Runner } from './use-run.ts';

const Consequences = lazyComponent(async () => (await import('../../ui/Consequences.tsx')).Consequences);
const SimulateMappings = lazyComponent(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface Props {
  readonly ports: SetupPorts;
  readonly situation: Situation;
  readonly runner: Runner;
  readonly service: string;
  /** Something else is running, or the page is being read. */
  readonly busy: boolean;
  readonly onStart: (plan: Plan) => void;
  readonly onRead: () => void;
  readonly onSignedOut: SignInAgain;
}

/** The undo of a setup: requested, shown as a separate plan, confirmed in the panel, run. */
export function UndoSetup({ ports, situation, runner, service, busy, onStart, onRead, onSignedOut }: Props) {
  const { undoSteps, ...spoken } = useMessages('setup');
  const [discards, setDiscards] = useState<string>();
  const [open, setOpen] = useState(false);
  const [button, focusBack] = useFocusBack();
  const printTime = usePrintedTime();
  const { run } = runner;
  const { previous } = situation.settings;
  // Nothing was written: what would be undone now must be reviewed first.
  const isReviewed = run.state === 'ended' && isPlanChanged(run.result);
  const unfinished = run.state === 'running' || (run.state === 'ended' && run.result.outcome !== 'complete' && !isReviewed);
  const whole = useWhatGoes(ports, situation, open || isReviewed);
  const tried = whole?.undoDryRun?.answer;
  const consequences = tried?.state === 'known' ? (tried.value.consequences ?? []) : [];
  const confirmation = useGraveConfirmation(consequences);
  if (previous === undefined && run.state === 'idle') return null;
  const plan = planUndo(whole ?? situation);
  const undoFacts = whole?.undoFacts?.state === 'known' ? whole.undoFacts.value : undefined;
  const restored = whole === undefined ? undefined : restoredPaths(whole);
  const shown = unfinished ? run.plan : plan;
  const steps = { ...spoken.steps, ...undoSteps, ...(isRemoval(shown) ? { 'register-site': spoken.undo.removeSite } : {}) };
  const messages = { ...spoken, steps };
  const views = stepViews(messages, shown, unfinished ? progressOf(run) : new Map(), service);
  // A change that is added later is not discarded unseen.
  const lost = lostChanges(plan)
    .map(({ version }) => version)
    .join(' ');
  if (!open && !unfinished && !isReviewed) {
    return (
      <div className="rp-stack">
        <RunProgress run={run} steps={steps} onStop={runner.stop} />
        {previous !== undefined && run.state === 'idle' && (
          <div className="rp-actions">
            <TextButton ref={button} isDisabled={busy} onPress={() => setOpen(true)} text={messages.undo.open} />
            <span className="rp-quiet">{messages.undo.kept({ by: previous.by, at: printTime(previous.at) })}</span>
          </div>
        )}
      </div>
    );
  }
  return (
    <>
      <Card id="rp-undo" title={messages.undo.title} focusOn={open ? 'open' : undefined}>
        {isReviewed && previous === undefined && <p>{messages.undo.nothing}</p>}
        {!unfinished && whole !== undefined && previous !== undefined && <WhatBecomes plan={plan} site={previous.site} />}
        {previous !== undefined && <p className="rp-quiet">{messages.undo.kept({ by: previous.by, at: printTime(previous.at) })}</p>}
        {!unfinished && whole === undefined && <Loading text={messages.undo.reading} />}
        {undoFacts !== undefined && undoFacts.secrets.length > 0 && <p>{messages.undo.secrets({ names: undoFacts.secrets })}</p>}
        {undoFacts !== undefined && undoFacts.apiKeys.length > 0 && <p>{messages.undo.apiKeys({ names: undoFacts.apiKeys })}</p>}
        {!unfinished && consequences.length > 0 && (
          <Suspense fallback={null}>
            <Consequences consequences={consequences} confirmation={confirmation} />
          </Suspense>
        )}
        <RunProgress run={run} steps={steps} onStop={runner.stop} />
        {run.state === 'ended' && (
          <RunEnd
            run={run}
            steps={steps}
            // The plan that was reviewed: of any other, nobody has seen what it discards. The run finds out what is already done.
            onRetry={isReviewed ? undefined : () => onStart(run.plan)}
            onRead={onRead}
            onSignedOut={onSignedOut}
          />
        )}
        {!unfinished && lost !== '' && (
          <Checkbox isSelected={discards === lost} onChange={(isSelected) => setDiscards(isSelected ? lost : undefined)}>
            {messages.undo.later.discard({ count: lostChanges(plan).length })}
          </Checkbox>
        )}
        {!unfinished && previous !== undefined && (
          <div className="rp-actions">
            <TextButton
              variant="negative"
              isDisabled={busy || plan.blocked || whole === undefined || !confirmation.isConfirmed || (lost !== '' && discards !== lost)}
              onPress={() => {
                setOpen(false);
                onStart(plan);
              }}
              text={messages.undo.confirm}
            />
            <TextButton
              onPress={() => {
                setOpen(false);
                if (isReviewed) runner.dismiss();
                focusBack();
              }}
              text={messages.undo.cancel}
            />
          </div>
        )}
        {!unfinished && (
          <Blocks steps={views}>
            <TextButton isDisabled={busy} onPress={onRead} text={messages.run.readAgain} />
          </Blocks>
        )}
        {views.length > 0 && <StepList steps={views} label={messages.plan.undoTitle} />}
      </Card>
      {restored !== undefined && !unfinished && (
        <Suspense fallback={null}>
          <SimulateMappings key={JSON.stringify(restored)} ports={ports} intended={restored} />
        </Suspense>
      )}
    </>
  );
}

/** The situation with what is deleted together with the site; read as soon as the undo is requested. */
function useWhatGoes(ports: SetupPorts, situation: Situation, isRequested: boolean): Situation | undefined {
  const [read, setRead] = useState<{ readonly of: Situation; readonly whole: Situation }>();
  useEffect(() => {
    if (!isRequested) return undefined;
    let gone = false;
    void readWithRemovalFacts(ports, situation).then((whole) => {
      if (!gone) setRead({ of: situation, whole });
    });
    return () => {
      gone = true;
    };
  }, [ports, situation, isRequested]);
  return read?.of === situation ? read.whole : undefined;
}

function isRemoval({ steps }: Plan): boolean {
  return steps.some(({ id, call }) => id === 'register-site' && call?.method === 'DELETE');
}

/** Versions stored after the setup that its undo loses. */
function lostChanges({ back }: Plan): readonly VersionEntry[] {
  return back?.kind === 'remove' || back?.kind === 'restore' ? back.later : [];
}

/** The effect of the undo on the site, and on later versions. */
function WhatBecomes({ plan, site }: { readonly plan: Plan; readonly site: string }) {
  const { back, steps } = plan;
  const { cases, later, stays } = useMessages('setup').undo;
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const pages = plan.stays?.map((page) => <p key={page}>{stays({ page })}</p>);
  const isFinished = steps.some(({ id, state }) => id === 'register-site' && state.kind === 'done');
  // A service without a history doesn't report later changes.
  if (back === undefined) {
    return (
      <>
        {isRemoval(plan) ? <p className="rp-strong">{cases.remove({ site })}</p> : isFinished && <p>{cases.missing({ site })}</p>}
        {pages}
      </>
    );
  }
  const isPreserved = back.kind === 'merge' || back.kind === 'leave';
  const count = back.later.length;
  return (
    <>
      <p className="rp-strong">
        {back.kind === 'remove' || back.kind === 'leave'
          ? cases[back.kind]({ site })
          : cases[back.kind === 'merge' ? 'merge' : 'version']({
              site,
              version: String(back.version.version),
              date: dates.format(new Date(back.version.created)),
            })}
      </p>
      {count > 0 && (
        <div>
          <p>{isPreserved ? later.kept({ count }) : later.lost({ count })}</p>
          <ul>
            {back.later.map(({ version, created, user, name }) => (
              <li key={version}>{later.entry({ version: String(version), date: dates.format(new Date(created)), user, name })}</li>
            ))}
          </ul>
        </div>
      )}
      {pages}
    </>
  );
}

interface UndoneProps {
  readonly undone: Plan;
  /** The page is not read again yet. */
  readonly isSettling: boolean;
  /** Absent if nothing can be set up now. */
  readonly onRetry: (() => void) | undefined;
}

/** The result of an undo, at the top of the page, and a button that sets up again. It is scrolled into view again once the page is read. */
export function SetupUndone({ undone: { back, undoes, stays = [] }, isSettling, onRetry }: UndoneProps) {
  const { run, undo } = useMessages('setup');
  const focus = useFocusOnArrival<HTMLDivElement>(isSettling ? 'undone' : 'read again');
  const site = undoes?.record.site ?? '';
  const text =
    back === undefined
      ? run.completeUndo
      : back.kind === 'remove' || back.kind === 'leave'
        ? undo.done[back.kind]({ site })
        : undo.done[back.kind === 'merge' ? 'merge' : 'version']({ site, version: String(back.version.version) });
  return (
    <Notice
      tone="info"
      icon={CheckmarkCircle}
      focus={focus}
      title={text}
      actions={<TextButton isDisabled={onRetry === undefined} onPress={() => onRetry?.()} text={undo.again} />}
    >
      {stays.map((page) => (
        <p key={page}>{undo.stays({ page })}</p>
      ))}
    </Notice>
  );
}
