import { explainCell } from '@repoless/core/messages/explain-row.ts';
import { type PlannedRow, type ShownSteps, shownSteps } from '@repoless/core/sites/apply-rows.ts';
import { consequencesOfMove } from '@repoless/core/sites/plan-moves.ts';
import { type MoveQuestion, targetAccount } from '@repoless/core/sites/plan-move.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { CellProblem, RowReason, SiteRow } from '@repoless/core/sites/rows.ts';
import { useState } from 'react';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { PathPrefix } from '@repoless/contract/mappings.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { RemoveButton, SubmitForm, TextInput } from '../../ui/forms.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Announcement, FailureNotice } from '../../ui/Notice.tsx';
import { Fold } from '../../ui/Card.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PagedTable } from '../rows-run/PagedTable.tsx';
import { openSteps, PlannedSteps, type StayingSite, StayingSites } from '../rows-run/planned-rows.tsx';
import { useLeavingOut } from '../rows-run/rows-run.ts';
import type { MovePlan, MoveTarget } from './stored-moves.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface Props {
  readonly target: MoveTarget;
  readonly plan: Extract<MovePlan, { state: 'ready' }>;
  readonly onPlan: (target: MoveTarget) => void;
  readonly onApply: (rows: readonly SiteRow[], shown: ShownSteps) => void;
  readonly onBack: () => void;
}

export function MoveReview({ target, plan, onPlan, onApply, onBack }: Props) {
  const messages = useMessages('sites');
  const { move, review } = messages;
  const { question } = plan;
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [announcement, leave] = useLeavingOut();
  const planned = plan.planned.filter(({ row }) => !leftOut.has(row.id));
  const heading = useFocusOnArrival<HTMLHeadingElement>(plan);
  const applicable = planned.filter((one) => resultOf(one) !== 'stays');
  const moving = applicable.filter((one) => resultOf(one) === 'moves').length;
  const staying = planned.filter((one) => resultOf(one) === 'stays');
  const consequences = consequencesOfMove({ planned: applicable }, question);
  const confirmation = useConfirmation(consequences);
  const untried = planned.find((one) => one.untried !== undefined)?.untried;
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        {move.title({ count: planned.length })}
      </h2>
      <p className="rp-value">
        {move.between({ from: question.from.author, to: question.to.author })} {accountsOf(move, question)}
      </p>
      <p className="rp-quiet">{move.oldPages}</p>
      <MoveSettings
        key={JSON.stringify(target)}
        target={target}
        asksAccount={question.to.technicalAccount === undefined}
        onPlan={(next) => onPlan({ ...next, names: next.names.filter((name) => !leftOut.has(name)) })}
      />
      <StayingSites
        title={applicable.length === 0 ? move.nothing : move.left({ count: staying.length })}
        sites={staying.map(({ row, problems }) => ({ name: row.siteName, ...whyStays(messages, problems) }))}
        sentenceOf={(cause, count) => (cause === PAGES_MISSING ? review.pagesMissing({ count, author: question.to.author }) : undefined)}
      />
      <PagedTable
        label={move.label}
        kind="review"
        columns={[
          { title: move.columns.site },
          { title: move.columns.content, width: 'content' },
          { title: move.columns.configuration },
          { title: move.columns.plan },
          { width: 'actions' },
        ]}
        rows={applicable}
      >
        {(one) => (
          <MoveRow
            key={one.row.id}
            planned={one}
            to={question.to.author}
            onLeaveOut={(pressed) => {
              leave(pressed, move.leftOut({ site: one.row.siteName }));
              setLeftOut(new Set([...leftOut, one.row.id]));
            }}
          />
        )}
      </PagedTable>
      <Announcement>{announcement}</Announcement>
      {untried !== undefined && <FailureNotice title={move.untried} failure={untried} />}
      <Consequences consequences={consequences} confirmation={confirmation} />
      <div className="rp-actions">
        <TextButton
          variant={confirmation.isNeeded ? 'negative' : 'accent'}
          isDisabled={applicable.length === 0 || !confirmation.isConfirmed}
          onPress={() =>
            onApply(
              applicable.map(({ row }) => row),
              shownSteps(applicable),
            )
          }
          text={moving === 0 ? move.verify({ count: applicable.length }) : move.apply({ count: moving })}
        />
        <TextButton onPress={onBack} text={move.back} />
        <span className="rp-quiet">{confirmation.hint === '' ? move.sure : confirmation.hint}</span>
      </div>
    </>
  );
}

function accountsOf(move: ReturnType<typeof useMessages<'sites'>>['move'], question: MoveQuestion): string {
  const { from, keepsAccount } = question;
  const account = targetAccount(question);
  if (account === '') return '';
  if (from.technicalAccount === undefined) return move.accountUnknown({ author: from.author });
  return keepsAccount === true
    ? move.accountStays({ old: from.technicalAccount, account })
    : move.accounts({ old: from.technicalAccount, account });
}

interface MoveRowProps {
  readonly planned: PlannedRow;
  readonly to: string;
  readonly onLeaveOut: (pressed: Element) => void;
}

function resultOf({ plan, problems }: PlannedRow): 'moves' | 'arrived' | 'stays' {
  if (plan.kind === 'blocked' || problems.length > 0) return 'stays';
  return plan.outcome === 'unchanged' ? 'arrived' : 'moves';
}

/** Why a site stays: its first problem, and sentences for all of them. */
function whyStays(messages: MessagesOf<'sites'> & Messages, problems: readonly CellProblem[]): Omit<StayingSite, 'name'> {
  const [first] = problems;
  const cause = first?.message.kind === 'problem' ? first.message.problem.reason : (first?.message.kind ?? '');
  return { cause, sentence: problems.map(({ message }) => explainCell(messages, message)).join(' ') };
}

const PAGES_MISSING: RowReason = 'page-not-there';
const TONES = { moves: 'info', arrived: 'positive' } as const;

function MoveRow({ planned, to, onLeaveOut }: MoveRowProps) {
  const { move } = useMessages('sites');
  const { row, plan } = planned;
  const result = resultOf(planned) === 'moves' ? 'moves' : 'arrived';
  const steps = plan.kind === 'ready' && result === 'moves' ? openSteps(plan.steps) : [];
  const before = row.move === undefined ? '' : `${row.move.from}${row.move.root}`;
  const after = `${to}${row.contentRoot}`;
  return (
    <tr>
      <th scope="row">
        <span className="rp-strong">{row.siteName}</span>
        <Badge tone={TONES[result]} text={move.states[result]} />
      </th>
      <td data-label={move.columns.content}>
        {result === 'moves' && <span className="rp-quiet">{before} →</span>}
        <span>{after}</span>
      </td>
      <td data-label={move.columns.configuration}>{row.cloudConfiguration ?? ''}</td>
      <td data-label={move.columns.plan}>
        {steps.length > 0 && (
          <Fold title={move.changes} of={row.siteName}>
            <PlannedSteps steps={steps} />
          </Fold>
        )}
      </td>
      <td className="rp-row-actions">
        <RemoveButton label={move.leaveOut({ site: row.siteName })} onPress={({ target }) => onLeaveOut(target)} />
      </td>
    </tr>
  );
}

interface SettingsProps {
  readonly target: MoveTarget;
  readonly asksAccount: boolean;
  readonly onPlan: (target: MoveTarget) => void;
}

/** What a plan cannot read by itself: different paths, an account that is not shown anywhere, and whether the old one stays. */
function MoveSettings({ target, asksAccount, onPlan }: SettingsProps) {
  const { move } = useMessages('sites');
  const [first] = target.paths;
  const settled = { from: first?.from ?? '', to: first?.to ?? '', account: target.account ?? '', keep: target.keepsAccount };
  const [input, setInput] = useState(settled);
  const [isSubmitted, setSubmitted] = useState(false);
  useUnsavedEntry(!sameValue(input, settled), 'view');
  const [from, to] = [input.from, input.to].map((path) => path.trim().replace(/\/+$/, ''));
  const isNone = from === '' && to === '';
  const isWrong = !isNone && [from, to].some((path) => !isContentPath(path));
  const plan = (): void => {
    setSubmitted(true);
    if (isWrong || from === undefined || to === undefined) return;
    const { account: _before, ...rest } = target;
    const account = input.account.trim();
    const paths = isNone ? [] : [{ from, to }];
    onPlan({ ...rest, paths, keepsAccount: input.keep, ...(account === '' ? {} : { account }) });
  };
  const problem = isSubmitted && isWrong ? move.pathProblem : undefined;
  return (
    <Fold title={move.where} open={asksAccount}>
      <SubmitForm validationBehavior="aria" onSubmit={plan}>
        <TextInput
          label={move.pathFrom}
          description={move.pathHelp}
          value={input.from}
          onChange={(value) => setInput({ ...input, from: value })}
          problem={problem}
        />
        <TextInput label={move.pathTo} value={input.to} onChange={(value) => setInput({ ...input, to: value })} problem={problem} />
        {asksAccount && (
          <TextInput
            label={move.account}
            description={move.accountHelp}
            value={input.account}
            onChange={(account) => setInput({ ...input, account })}
          />
        )}
        <Checkbox isSelected={input.keep} onChange={(keep) => setInput({ ...input, keep })}>
          {move.keep}
        </Checkbox>
        <div className="rp-actions">
          <TextButton type="submit" text={move.again} />
        </div>
      </SubmitForm>
    </Fold>
  );
}

function isContentPath(path: string | undefined): boolean {
  return path !== undefined && path.startsWith('/content/') && PathPrefix.safeParse(path).success;
}
