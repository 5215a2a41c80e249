import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import ChevronLeft from '@spectrum-icons/workflow/ChevronLeft';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { type ReactNode, useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';

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
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1);
  const page = Math.min(wanted, last);
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
          <ActionButton aria-label={review.previous} isDisabled={page === 0} onPress={() => setWanted(page - 1)}>
            <ChevronLeft />
          </ActionButton>
          <span role="status">{review.pages({ from, to: page * PAGE + shown.length, of: rows.length })}</span>
          <ActionButton aria-label={review.next} isDisabled={page === last} onPress={() => setWanted(page + 1)}>
            <ChevronRight />
          </ActionButton>
        </div>
      )}
    </>
  );
}
