import type { SiteCheck } from '@repoless/contract/site-check.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { findDrift } from '@repoless/core/checks/find-drift.ts';
import { evaluateSituation, type Evaluation, STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { intendedPaths } from '@repoless/core/mappings/read-simulation.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import { addEdits, type Edits, editsOf, NO_EDITS, proposeChoices, withoutStored } from '@repoless/core/plan/choices.ts';
import { planSetup } from '@repoless/core/plan/plan-setup.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { hasNoDryRun } from '@repoless/core/situation/call.ts';
import { deniedIn } from '@repoless/core/checks/caller-permissions.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { lazyComponent, lazyView } from '../../ui/lazy-component.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { ChoicesForm } from './ChoicesForm.tsx';
import { ClaimOrganization } from './ClaimOrganization.tsx';
import { PageShell } from './PageShell.tsx';
import { PlanPanel } from './PlanPanel.tsx';
import { SetUp } from './SetUp.tsx';
import { SetupUndone, UndoSetup } from './UndoSetup.tsx';
import { CHOICE_FIELDS, choiceProblems, sameTarget, showField } from './choice-problems.ts';
import { TechnicalContext, type Tone } from './step-view.ts';
import { isComplete, isOutOfReach, useRun } from './use-run.ts';

/** Loaded lazily: only a registered site whose mappings are about to change needs it. */
const NoPermission = lazyView(async () => (await import('../../ui/NoPermission.tsx')).NoPermission, { parts: ['permission'] });
const SimulateMappings = lazyComponent(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface Props {
  readonly ports: SetupPorts;
  readonly path: string;
  readonly service: string;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly situation: Situation;
  /** The service's stored check of the site. */
  readonly stored: SiteCheck | undefined;
  /** The choices for which the situation was read. */
  readonly readFor: Choices;
  readonly reading: boolean;
  readonly edits: Edits;
  readonly choices: Choices;
  readonly onEdit: (edits: Edits) => void;
  readonly onRead: (edits: Edits) => Promise<void>;
  readonly onSignedOut: SignInAgain;
  /** The place to show within a parent's shell. */
  readonly within: 'setup' | 'health' | undefined;
  /** Called with the site's state, and the plan that would set it up; without a plan if the person may not. */
  readonly children: (evaluation: Evaluation, plan: Plan | undefined) => ReactNode;
}

export function SiteSetup(props: Props) {
  const { ports, path, service, situation, stored, readFor, reading, edits, choices, onEdit, onRead, onSignedOut, children } = props;
  const messages = useMessages('setup');
  const enable = useRun(ports, path, situation.info);
  const undo = useRun(ports, path, situation.info);
  const [isTechnical, setTechnical] = useState(false);
  const [startedFrom, setStartedFrom] = useState<Situation>();
  const [startedWith, setStartedWith] = useState<Edits>();
  const problems = choiceProblems(messages, choices);
  const valid = Object.keys(problems).length === 0;
  const moved = !sameTarget(choices, readFor);
  const planned = moved ? readFor : choices;
  const plan = planSetup(situation, planned);
  const intended = intendedPaths(situation, planned);
  const caller = situation.profile.state === 'known' ? situation.profile.value.email : undefined;
  const [firstProblem] = CHOICE_FIELDS.filter((field) => problems[field] !== undefined);
  const drift = plan.complete ? findDrift(situation) : [];
  const evaluation = evaluateSituation(situation, stored);
  // A run that has started reports its own end.
  const denied = enable.run.state === 'idle' && undo.run.state === 'idle' ? deniedIn(situation, planned) : undefined;
  const busy = enable.run.state === 'running' || undo.run.state === 'running';
  const start = async (chosen: Plan): Promise<void> => {
    undo.dismiss();
    setStartedFrom(situation);
    setStartedWith(edits);
    const { organization, siteName } = choices;
    const result = await enable.start(chosen, { ...edits, organization, siteName });
    const remaining = result.outcome === 'complete' ? withoutStored(edits) : edits;
    if (remaining !== edits) onEdit(remaining);
    if (!isOutOfReach(result)) await onRead(remaining);
  };
  const undoSetup = async (chosen: Plan): Promise<void> => {
    enable.dismiss();
    setStartedFrom(situation);
    const result = await undo.start(chosen, NO_EDITS);
    const remaining = result.outcome === 'complete' ? NO_EDITS : edits;
    if (remaining !== edits) onEdit(remaining);
    if (!isOutOfReach(result)) await onRead(remaining);
  };
  const { organization, siteName } = choices;
  const hasName = problems.organization === undefined && problems.siteName === undefined;
  const isStored = hasName && !moved && situation.site.state !== 'missing';
  useReadWhileTyping(moved && hasName && !busy, edits, onRead);
  const settling = startedFrom === situation && (isComplete(enable.run) || isComplete(undo.run));
  const settled = plan.complete && enable.run.state !== 'running' && !settling;
  // What was read since the end of a run counts, not the run's result.
  const isIncomplete = isComplete(enable.run) && startedFrom !== situation && !plan.complete && !moved;
  const isSetUpAgain = isComplete(undo.run) && startedFrom !== situation && situation.settings.previous !== undefined;
  const [remainingAfterRun, setRemainingAfterRun] = useState<Situation>();
  if (isIncomplete && remainingAfterRun !== situation) setRemainingAfterRun(situation);
  useEffect(() => {
    if (isIncomplete) enable.dismiss();
    if (isSetUpAgain) undo.dismiss();
  }, [isIncomplete, isSetUpAgain, enable, undo]);
  const focus = useFocusOnArrival<HTMLHeadingElement>(settled && enable.run.state === 'ended' ? enable.run.result : undefined);
  const isHidden = denied !== undefined && situation.site.state !== 'known';
  const isUnread = settling || situation.site.state === 'failed';
  const state = isHidden ? undefined : isUnread ? unreadState(messages, reading) : pageState(messages, evaluation);
  const shared = { service, onRead: () => void onRead(edits), onSignedOut };
  const setup = (
    <TechnicalContext value={isTechnical}>
      {undo.run.state === 'ended' && undo.run.result.outcome === 'complete' && !isSetUpAgain && (
        <SetupUndone
          undone={undo.run.plan}
          isSettling={settling}
          onRetry={settling || busy || reading || plan.complete || plan.blocked || !valid ? undefined : () => void start(plan)}
        />
      )}
      {settled && <SetUp situation={situation} evaluation={evaluation} choices={choices} drift={drift} focus={focus} />}
      <div className="rp-columns">
        <div className="rp-stack rp-area-plan">
          {denied !== undefined && <NoPermission denied={denied} onRetry={shared.onRead} />}
          {denied?.mayClaim === true && (
            <ClaimOrganization
              key={choices.organization}
              service={ports.service}
              organization={choices.organization}
              repository={choices.code.repo}
              isReading={reading}
              onCheck={shared.onRead}
            />
          )}
          {denied === undefined && hasNoDryRun(situation.dryRun?.answer) && (
            <div className="rp-notice rp-notice-info" role="note">
              <p className="rp-notice-body">{messages.plan.untried}</p>
            </div>
          )}
          {denied === undefined && (
            <PlanPanel
              {...shared}
              plan={plan}
              runner={enable}
              reading={reading || (moved && valid)}
              isSettling={settling}
              remainingAfterRun={remainingAfterRun}
              isEdited={startedWith !== edits}
              target={choices}
              caller={caller}
              invalidField={
                firstProblem === undefined ? undefined : { label: messages.choices[firstProblem], show: () => showField(firstProblem) }
              }
              busy={busy}
              onStart={(chosen) => void start(chosen)}
              onTechnical={setTechnical}
            />
          )}
          {denied === undefined && intended !== undefined && !settling && (
            <Suspense fallback={null}>
              <SimulateMappings key={JSON.stringify(intended)} ports={ports} intended={intended} />
            </Suspense>
          )}
          <UndoSetup
            {...shared}
            ports={ports}
            situation={situation}
            runner={undo}
            busy={busy || reading}
            onStart={(chosen) => void undoSetup(chosen)}
          />
        </div>
        <div className="rp-stack rp-area-side">
          <ChoicesForm
            situation={situation}
            service={ports.service}
            clientAt={props.clientAt}
            choices={choices}
            problems={problems}
            isDisabled={busy}
            isFolded={settled}
            onChange={(next) => onEdit(addEdits(edits, editsOf(choices, next), proposeChoices(situation).administrators))}
            onReset={() => {
              onEdit(NO_EDITS);
              void onRead(NO_EDITS);
            }}
          />
        </div>
      </div>
    </TechnicalContext>
  );
  return (
    <PageShell
      situation={situation}
      state={state}
      wrong={settling || situation.site.state !== 'known' ? undefined : evaluation.wrong}
      service={ports.service}
      organization={hasName ? organization : ''}
      siteName={hasName ? siteName : ''}
      isStored={isStored}
      isBusy={busy}
      within={props.within}
      onChanged={() => void onRead(edits)}
      setup={setup}
      health={
        <>
          {denied !== undefined && <NoPermission denied={denied} onRetry={shared.onRead} />}
          {children(evaluation, denied === undefined ? plan : undefined)}
        </>
      }
    />
  );
}

interface PageState {
  readonly label: string;
  readonly tone: Tone;
}

function pageState(messages: Messages, { state }: Evaluation): PageState {
  return { label: messages.siteStates[state], tone: STATE_TONES[state] };
}

/** After a run and before the page is read again, the earlier state is no longer valid; if the service could not be read, there is none. */
function unreadState(messages: Messages, reading: boolean): PageState {
  return { label: reading ? messages.plan.reading : messages.outcome.unread, tone: 'neutral' };
}

/** Milliseconds without a keystroke after which a name counts as typed. */
const PAUSE = 350;

/**
 * Reads for what was typed as soon as the person pauses; the field keeps its focus. `isUnread`: whether the choices require something that
 * was not read.
 */
function useReadWhileTyping(isUnread: boolean, edits: Edits, onRead: (edits: Edits) => Promise<void>): void {
  useEffect(() => {
    if (!isUnread) return undefined;
    const timer = setTimeout(() => void onRead(edits), PAUSE);
    return () => clearTimeout(timer);
  }, [isUnread, edits, onRead]);
}
