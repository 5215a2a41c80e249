import { memo } from 'react';
import { rowAddresses } from '#extension/setup/sites/row-site.ts';
import type { Batch, RowStatus, SiteRow } from '#extension/setup/sites/rows.ts';
import { explainRow } from '#extension/words/explain-row.ts';
import { Badge } from '../shared/Badge.tsx';
import { useSitesWords } from './use-sites-words.ts';
import { Pages } from './Pages.tsx';
import type { RowsRun } from './rows-run.ts';
import { usePages } from './use-pages.ts';

const PAGE = 25;
const TONES = { waiting: 'neutral', running: 'info', done: 'positive', failed: 'negative', stopped: 'yellow' } as const;
/** What needs a look comes first. */
const ORDER: Record<RowStatus['state'], number> = { failed: 0, running: 1, stopped: 2, waiting: 3, done: 4 };

/** What became of each site: those that failed first. */
export function ResultTable({ run }: { readonly run: Exclude<RowsRun, { state: 'idle' }> }) {
  const { applyRows: words } = useSitesWords();
  const statusOf = ({ id }: SiteRow): RowStatus => run.statuses.get(id) ?? { state: 'waiting' };
  const rows =
    run.state === 'running' ? run.rows : run.rows.toSorted((one, other) => ORDER[statusOf(one).state] - ORDER[statusOf(other).state]);
  const paging = usePages(rows, PAGE);
  return (
    <>
      <div className="rp-table-room" role="region" aria-label={words.label} tabIndex={0}>
        <table className="rp-table rp-results">
          <thead>
            <tr>
              <th scope="col">{words.columns.site}</th>
              <th scope="col">{words.columns.state}</th>
              <th scope="col">{words.columns.detail}</th>
            </tr>
          </thead>
          <tbody>
            {paging.shown.map((row) => (
              <ResultRow key={row.id} batch={run.batch} row={row} status={statusOf(row)} />
            ))}
          </tbody>
        </table>
      </div>
      <Pages paging={paging} />
    </>
  );
}

const ResultRow = memo(function ResultRow({
  batch,
  row,
  status,
}: {
  readonly batch: Batch;
  readonly row: SiteRow;
  readonly status: RowStatus;
}) {
  const { applyRows: words } = useSitesWords();
  return (
    <tr>
      <th scope="row">
        <span className="rp-strong">{row.siteName}</span>
        <span className="rp-quiet">{row.contentRoot}</span>
      </th>
      <td>
        <Badge tone={TONES[status.state]} text={status.state === 'done' ? words.outcomes[status.outcome] : words.states[status.state]} />
      </td>
      <td>
        <Detail batch={batch} row={row} status={status} />
      </td>
    </tr>
  );
});

function Detail({ batch, row, status }: { readonly batch: Batch; readonly row: SiteRow; readonly status: RowStatus }) {
  const words = useSitesWords();
  switch (status.state) {
    case 'waiting':
    case 'stopped':
      return null;
    case 'running': {
      const step = words.applyRows.steps[status.step];
      return <span className="rp-quiet">{status.attempt === undefined ? step : words.applyRows.attempt(step, status.attempt)}</span>;
    }
    case 'done': {
      const { preview, live } = rowAddresses(batch, row);
      return (
        <span className="rp-links">
          <a className="rp-link" href={preview} target="_blank" rel="noreferrer" aria-label={`${words.review.preview}: ${preview}`}>
            {words.review.preview}
          </a>
          <a className="rp-link" href={live} target="_blank" rel="noreferrer" aria-label={`${words.review.live}: ${live}`}>
            {words.review.live}
          </a>
        </span>
      );
    }
    case 'failed': {
      const { sentence, next } = explainRow(words, status.problem);
      return (
        <>
          <span className="rp-row-error">
            {words.applyRows.steps[status.problem.step]}: {sentence}
          </span>
          {next !== undefined && <span className="rp-quiet">{next}</span>}
        </>
      );
    }
    default:
      return status satisfies never;
  }
}
