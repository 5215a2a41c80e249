import { Button } from '@adobe/react-spectrum/Button';
import { useState } from 'react';
import type { SiteRow } from '@repoless/core/sites/rows.ts';
import { accountThere } from '@repoless/core/sites/plan-move.ts';
import type { MoveQuestion } from '@repoless/core/sites/plan-move.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Pages } from '../rows-run/Pages.tsx';
import { useLeavingOut } from '../rows-run/use-leaving-out.ts';
import { usePages } from '../rows-run/use-pages.ts';
import type { MoveTarget } from './stored-moves.ts';
import { MoveRow, standingOf } from './MoveRow.tsx';
import { MoveSettings } from './MoveSettings.tsx';
import type { MovePlan } from './use-move-plan.ts';

interface Props {
  readonly target: MoveTarget;
  readonly plan: Extract<MovePlan, { state: 'ready' }>;
  readonly onPlan: (target: MoveTarget) => void;
  readonly onApply: (rows: readonly SiteRow[]) => void;
  readonly onBack: () => void;
}

const PAGE = 25;

/** The move before anything is written: each site with what changes, or why it stays. */
export function MoveReview({ target, plan, onPlan, onApply, onBack }: Props) {
  const messages = useMessages('sites');
  const { move } = messages;
  const { question } = plan;
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const [said, leave] = useLeavingOut();
  const planned = plan.planned.filter(({ row }) => !leftOut.has(row.id));
  const heading = useFocusOnArrival<HTMLHeadingElement>(plan);
  const paging = usePages(planned, PAGE);
  const able = planned.filter((one) => standingOf(one) !== 'stays');
  const moving = able.filter((one) => standingOf(one) === 'moves').length;
  const staying = planned.length - able.length;
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
      <div className="rp-table-room" role="region" aria-label={move.label} tabIndex={0}>
        <table className="rp-table rp-review">
          <colgroup>
            <col />
            <col className="rp-col-content" />
            <col />
            <col />
            <col className="rp-col-actions" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{move.columns.site}</th>
              <th scope="col">{move.columns.content}</th>
              <th scope="col">{move.columns.configuration}</th>
              <th scope="col">{move.columns.plan}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {paging.shown.map((one) => (
              <MoveRow
                key={one.row.id}
                planned={one}
                to={question.to.author}
                onLeaveOut={(pressed) => {
                  leave(pressed, move.leftOut({ site: one.row.siteName }));
                  setLeftOut(new Set([...leftOut, one.row.id]));
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pages paging={paging} />
      <span role="status" className="rp-hidden">
        {said}
      </span>
      <p role="status" className="rp-quiet">
        {able.length === 0 ? move.nothing : staying > 0 ? move.left({ count: staying }) : ''}
      </p>
      {untried !== undefined && <Explanation title={move.untried} explained={explainFailure(messages, untried)} />}
      <div className="rp-actions">
        <Button variant="accent" isDisabled={able.length === 0} onPress={() => onApply(able.map(({ row }) => row))}>
          {moving === 0 ? move.verify({ count: able.length }) : move.apply({ count: moving })}
        </Button>
        <Button variant="secondary" onPress={onBack}>
          {move.back}
        </Button>
        <span className="rp-quiet">{move.sure}</span>
      </div>
    </>
  );
}

function accountsOf(move: ReturnType<typeof useMessages<'sites'>>['move'], question: MoveQuestion): string {
  const { from, keepsAccount } = question;
  const account = accountThere(question);
  if (account === '') return '';
  if (from.technicalAccount === undefined) return move.accountUnknown({ author: from.author });
  return keepsAccount === true
    ? move.accountStays({ old: from.technicalAccount, account })
    : move.accounts({ old: from.technicalAccount, account });
}
