import type { IntendedPaths } from '@repoless/core/mappings/read-simulation.ts';
import type { Batch, CellProblem, SiteRow } from '@repoless/core/sites/rows.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { SimulationPorts } from '../../ui/simulation-context.ts';
import type { EditedCell } from '@repoless/core/sites/edit-row.ts';
import { Pages } from '../rows-run/Pages.tsx';
import { ReviewRow } from './ReviewRow.tsx';
import { usePages } from '../rows-run/use-pages.ts';

interface Props {
  readonly batch: Batch;
  readonly rows: readonly SiteRow[];
  readonly problemsOf: (row: SiteRow) => readonly CellProblem[];
  readonly checkedOf: (row: SiteRow) => 'asking' | 'fine' | 'open' | 'untried';
  readonly ports: SimulationPorts;
  readonly pathsOf: (row: SiteRow) => IntendedPaths | undefined;
  readonly isDisabled: boolean;
  readonly onEdit: (row: SiteRow, cell: EditedCell, text: string) => void;
  readonly onLeaveOut: (row: SiteRow, pressed: Element) => void;
}

const PAGE = 25;

/** The sites to be as a table of fields. */
export function ReviewTable({ batch, rows, problemsOf, checkedOf, ports, pathsOf, isDisabled, onEdit, onLeaveOut }: Props) {
  const { review, cells } = useMessages('sites');
  const paging = usePages(rows, PAGE);
  return (
    <>
      <div className="rp-table-room" role="region" aria-label={review.label} tabIndex={0}>
        <table className="rp-table rp-review">
          <colgroup>
            <col className="rp-col-page" />
            <col span={4} />
            <col className="rp-col-actions" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">{review.page}</th>
              <th scope="col">{cells.siteName}</th>
              <th scope="col">{cells.contentRoot}</th>
              <th scope="col">{cells.cloudConfiguration}</th>
              <th scope="col">{cells.technicalAccount}</th>
              <th scope="col">{review.details}</th>
            </tr>
          </thead>
          <tbody>
            {paging.shown.map((row) => (
              <ReviewRow
                key={row.id}
                batch={batch}
                row={row}
                problems={problemsOf(row)}
                checked={checkedOf(row)}
                ports={ports}
                paths={pathsOf(row)}
                isDisabled={isDisabled}
                onEdit={onEdit}
                onLeaveOut={onLeaveOut}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pages paging={paging} />
    </>
  );
}
