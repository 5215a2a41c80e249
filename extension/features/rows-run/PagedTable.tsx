import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import ChevronLeft from '@spectrum-icons/workflow/ChevronLeft';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { memo, type ReactNode, useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { Batch, RowStatus, SiteRow } from '@repoless/core/sites/rows.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ExternalLink, LinkRefused } from '../../ui/ExternalLink.tsx';
import type { RowsRun } from './rows-run.ts';

interface Props<T> {
  readonly label: string;
  readonly kind: 'review' | 'results';
  /** A column without a title has buttons, or nothing that needs a name. */
  readonly columns: readonly { readonly title?: string; readonly width?: 'page' | 'site' | 'state' | 'content' | 'actions' }[];
  readonly rows: readonly T[];
  /** Renders a row, with a key. */
  readonly children: (row: T) => ReactNode;
}

const PAGE = 25;

/** A paged table, so that one with fields stays fast. */
export function PagedTable<T>({ label, kind, columns, rows, children }: Props<T>) {
  const { review } = useMessages('sites');
  const [requestedPage, setRequestedPage] = useState(0);
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1);
  const page = Math.min(requestedPage, last);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  const from = shown.length === 0 ? 0 : page * PAGE + 1;
  return (
    <>
      <div className="rp-table-room" role="region" aria-label={label} tabIndex={0}>
        <table className={`rp-table rp-${kind}`}>
          <colgroup>
            {columns.map(({ width }, index) => (
              <col key={index} className={width === undefined ? undefined : `rp-col-${width}`} />
            ))}
          </colgroup>
          <thead>
            <tr>
              {columns.map(({ title }, index) =>
                title === undefined ? (
                  <td key={index} />
                ) : (
                  <th key={index} scope="col">
                    {title}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>{shown.map((row) => children(row))}</tbody>
        </table>
      </div>
      {rows.length > PAGE && (
        <div className="rp-actions">
          <ActionButton aria-label={review.previous} isDisabled={page === 0} onPress={() => setRequestedPage(page - 1)}>
            <ChevronLeft />
          </ActionButton>
          <span role="status">{review.pages({ from, to: page * PAGE + shown.length, of: rows.length })}</span>
          <ActionButton aria-label={review.next} isDisabled={page === last} onPress={() => setRequestedPage(page + 1)}>
            <ChevronRight />
          </ActionButton>
        </div>
      )}
    </>
  );
}

const TONES = { waiting: 'neutral', running: 'info', done: 'positive', failed: 'negative', stopped: 'yellow' } as const;
/** Rows that need attention come first. */
const ORDER: Record<RowStatus['state'], number> = { failed: 0, running: 1, stopped: 2, waiting: 3, done: 4 };

interface ResultProps {
  readonly run: Exclude<RowsRun, { state: 'idle' }>;
  readonly undone: ReadonlySet<string>;
  /** The label of a row that was stopped after a write, for runs other than setup. */
  readonly partway: string | undefined;
}

export function ResultTable({ run, undone, partway }: ResultProps) {
  const { applyRows: messages } = useMessages('sites');
  const statusOf = ({ id }: SiteRow): RowStatus => run.statuses.get(id) ?? { state: 'waiting' };
  const rows =
    run.state === 'running' ? run.rows : run.rows.toSorted((one, other) => ORDER[statusOf(one).state] - ORDER[statusOf(other).state]);
  const [refused, setRefused] = useState<string>();
  return (
    <>
      <PagedTable
        label={messages.label}
        kind="results"
        columns={[
          { title: messages.columns.site, width: 'site' },
          { title: messages.columns.state, width: 'state' },
          { title: messages.columns.detail },
        ]}
        rows={rows}
      >
        {(row) => (
          <ResultRow
            key={row.id}
            batch={run.batch}
            row={row}
            status={statusOf(row)}
            isUndone={undone.has(row.id)}
            partway={partway}
            onRefused={setRefused}
          />
        )}
      </PagedTable>
      <LinkRefused address={refused} />
    </>
  );
}

interface RowProps {
  readonly batch: Batch;
  readonly row: SiteRow;
  readonly status: RowStatus;
  readonly isUndone: boolean;
  readonly partway: string | undefined;
  /** The link to this address could not open a window. */
  readonly onRefused: (address: string) => void;
}

const ResultRow = memo(function ResultRow({ batch, row, status, isUndone, partway, onRefused }: RowProps) {
  const { applyRows } = useMessages('sites');
  const messages = partway === undefined ? applyRows : { ...applyRows, partway };
  return (
    <tr>
      <th scope="row">
        <span className="rp-strong">{row.siteName}</span>
        <span className="rp-quiet">{row.contentRoot}</span>
      </th>
      <td>
        {isUndone ? (
          <Badge tone="neutral" text={messages.undo.state} />
        ) : (
          <Badge tone={TONES[status.state]} text={textOf(messages, status)} />
        )}
      </td>
      <td>
        {/* A site that was undone may have no addresses any more. */}
        {!isUndone && <Detail batch={batch} row={row} status={status} onRefused={onRefused} />}
      </td>
    </tr>
  );
});

function textOf(messages: MessagesOf<'sites'>['applyRows'], status: RowStatus): string {
  if (status.state === 'done') return messages.outcomes[status.outcome];
  return status.state === 'stopped' && status.started === true ? messages.partway : messages.states[status.state];
}

/** A waiting step says what it waits for. */
function stepText(
  { steps, attempt: text, followed }: MessagesOf<'sites'>['applyRows'],
  { info }: Batch,
  { step: id, attempt }: Extract<RowStatus, { state: 'running' }>,
): string {
  const step = steps[id];
  if (attempt === undefined) return step;
  return id === 'verify' && info.hosted !== undefined ? followed({ step }) : text({ step, attempt });
}

function Detail({ batch, row, status, onRefused }: Omit<RowProps, 'isUndone' | 'partway'>) {
  const messages = useMessages('sites');
  switch (status.state) {
    case 'waiting':
    case 'stopped':
      return null;
    case 'running': {
      return <span className="rp-quiet">{stepText(messages.applyRows, batch, status)}</span>;
    }
    case 'done': {
      const { preview, live } = rowAddresses(batch, row);
      return (
        <span className="rp-links">
          <ExternalLink address={preview} label={`${messages.review.preview}: ${preview}`} onRefused={() => onRefused(preview)}>
            {messages.review.preview}
          </ExternalLink>
          <ExternalLink address={live} label={`${messages.review.live}: ${live}`} onRefused={() => onRefused(live)}>
            {messages.review.live}
          </ExternalLink>
        </span>
      );
    }
    case 'failed': {
      const { sentence, next } = explainRow(messages, status.problem);
      return (
        <>
          <span className="rp-row-error">
            {messages.applyRows.steps[status.problem.step]}: {sentence}
          </span>
          {next !== undefined && <span className="rp-quiet">{next}</span>}
        </>
      );
    }
    default:
      return status satisfies never;
  }
}
