import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { IntendedPaths } from '@repoless/core/mappings/read-simulation.ts';
import { explainCell } from '@repoless/core/messages/explain-row.ts';
import { cellText, type EditedCell } from '@repoless/core/sites/propose-rows.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { Batch, CellProblem, SiteRow } from '@repoless/core/sites/rows.ts';
import ChevronDown from '@spectrum-icons/workflow/ChevronDown';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { memo, Suspense, useId, useState } from 'react';
import { NearestName, RemoveButton } from '../../ui/forms.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import type { SimulationPorts } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PagedTable } from '../rows-run/PagedTable.tsx';

interface RowProps {
  readonly batch: Batch;
  readonly ports: SimulationPorts;
  readonly isDisabled: boolean;
  readonly onEdit: (row: SiteRow, cell: EditedCell, text: string) => void;
  /** Also called with the pressed element. */
  readonly onLeaveOut: (row: SiteRow, pressed: Element) => void;
}

type Checked = 'asking' | 'fine' | 'open' | 'untried';

interface Props extends RowProps {
  readonly label: string;
  readonly rows: readonly SiteRow[];
  readonly problemsOf: (row: SiteRow) => readonly CellProblem[];
  readonly checkedOf: (row: SiteRow) => Checked;
  readonly pathsOf: (row: SiteRow) => IntendedPaths | undefined;
}

export function ReviewTable({ label, rows, problemsOf, checkedOf, pathsOf, ...shared }: Props) {
  const { review, cells } = useMessages('sites');
  return (
    <PagedTable
      label={label}
      kind="review"
      columns={[
        { title: review.page, width: 'page' },
        { title: cells.siteName },
        { title: cells.contentRoot },
        { title: cells.cloudConfiguration },
        { title: cells.technicalAccount },
        { title: review.details, width: 'actions' },
      ]}
      rows={rows}
    >
      {(row) => <ReviewRow {...shared} key={row.id} row={row} problems={problemsOf(row)} checked={checkedOf(row)} paths={pathsOf(row)} />}
    </PagedTable>
  );
}

/** Loaded lazily: only an existing site that gets other mappings needs it. */
const SimulateMappings = lazyComponent(async () => (await import('../mappings/SimulateMappings.tsx')).SimulateMappings);

interface ReviewRowProps extends RowProps {
  readonly row: SiteRow;
  readonly problems: readonly CellProblem[];
  readonly checked: Checked;
  readonly paths: IntendedPaths | undefined;
}

const IN_TABLE = ['siteName', 'contentRoot', 'cloudConfiguration', 'technicalAccount'] as const;
const IN_DETAILS = ['configurationPage', 'mappings', 'includes'] as const;
/** Errors without a field. */
const ABOUT_ALL: ReadonlySet<string> = new Set(['row', 'code', 'access']);

function Row({ batch, row, problems, checked, ports, paths, isDisabled, onEdit, onLeaveOut }: ReviewRowProps) {
  const messages = useMessages('sites');
  const { review } = messages;
  const [showsAll, setShowsAll] = useState(false);
  const details = useId();
  const title = row.title ?? row.siteName;
  const hidden = problems.some(({ cell }) => IN_DETAILS.some((one) => one === cell));
  const open = showsAll || hidden;
  const { preview, live } = rowAddresses(batch, row);
  const field = (cell: EditedCell, more: { hasLabel?: boolean; help?: string } = {}) => (
    <CellField
      organization={batch.organization}
      row={row}
      cell={cell}
      problems={problems}
      isDisabled={isDisabled}
      onEdit={(edited, text) => onEdit(row, edited, text)}
      {...more}
    />
  );
  const whole = problems.filter(({ cell }) => ABOUT_ALL.has(cell));
  return (
    <>
      <tr>
        <th scope="row">
          <span className="rp-strong">{title}</span>
          <span className="rp-quiet">{row.id}</span>
          <Badge
            tone={problems.length > 0 ? 'negative' : checked === 'fine' ? 'positive' : 'neutral'}
            text={problems.length > 0 ? review.checkedState.wrong({ count: problems.length }) : review.checkedState[checked]}
          />
          {paths !== undefined && <Badge tone="info" text={review.mapsOtherwise} />}
        </th>
        {IN_TABLE.map((cell) => (
          <td key={cell} data-label={messages.cells[cell]}>
            {field(cell)}
          </td>
        ))}
        <td className="rp-row-actions">
          <ActionButton
            isQuiet
            aria-label={review.detailsOf({ page: row.id })}
            aria-expanded={open}
            {...(open ? { 'aria-controls': details } : {})}
            onPress={() => setShowsAll(!open)}
          >
            {open ? <ChevronDown /> : <ChevronRight />}
          </ActionButton>
          <RemoveButton
            label={review.removeOf({ page: row.id })}
            isDisabled={isDisabled}
            onPress={({ target }) => onLeaveOut(row, target)}
          />
        </td>
      </tr>
      {whole.length > 0 && (
        <tr className="rp-row-errors">
          <td colSpan={IN_TABLE.length + 2}>
            {whole.map(({ cell, message }) => (
              <span className="rp-row-error" key={`${cell} ${JSON.stringify(message)}`}>
                {messages.cells[cell]}: {explainCell(messages, message)}
              </span>
            ))}
          </td>
        </tr>
      )}
      {open && (
        <tr id={details} className="rp-row-details">
          <td colSpan={IN_TABLE.length + 2}>
            <div className="rp-row-fields">
              {field('configurationPage', { hasLabel: true, help: review.noPage })}
              {field('mappings', { hasLabel: true, help: review.list })}
              {field('includes', { hasLabel: true, help: review.included })}
            </div>
            <dl className="rp-addresses">
              <div>
                <dt>{review.preview}</dt>
                <dd className="rp-value">{preview}</dd>
              </div>
              <div>
                <dt>{review.live}</dt>
                <dd className="rp-value">{live}</dd>
              </div>
            </dl>
            {paths !== undefined && (
              <Suspense fallback={null}>
                <SimulateMappings key={JSON.stringify(paths)} ports={ports} intended={paths} occasion="row" level={3} />
              </Suspense>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

const ReviewRow = memo(Row);

interface CellFieldProps {
  readonly organization: string;
  readonly row: SiteRow;
  readonly cell: EditedCell;
  readonly problems: readonly CellProblem[];
  /** Shown above the field; in the table, the column header is the label. */
  readonly hasLabel?: boolean;
  readonly help?: string;
  readonly isDisabled: boolean;
  readonly onEdit: (cell: EditedCell, text: string) => void;
}

function CellField({ organization, row, cell, problems, hasLabel = false, help, isDisabled, onEdit }: CellFieldProps) {
  const messages = useMessages('sites');
  const sentences = problems.filter((problem) => problem.cell === cell).map(({ message }) => explainCell(messages, message));
  const name = messages.cells[cell];
  const shared = {
    ...(hasLabel ? { label: name } : { 'aria-label': messages.review.of({ cell: name, page: row.id }) }),
    ...(help === undefined ? {} : { description: help }),
    ...(sentences.length === 0 ? {} : { validationState: 'invalid' as const, errorMessage: [...new Set(sentences)].join(' ') }),
    value: cellText(row, cell),
    onChange: (text: string) => onEdit(cell, text),
    isDisabled,
    width: '100%',
    spellCheck: 'false' as const,
    autoComplete: 'off',
  };
  if (cell === 'mappings' || cell === 'includes') return <TextArea {...shared} />;
  return (
    <>
      <TextField {...shared} />
      <NearestName
        name={row.siteName}
        isRefused={cell === 'siteName' && sentences.length > 0}
        organization={organization}
        isDisabled={isDisabled}
        onTake={(name) => onEdit(cell, name)}
      />
    </>
  );
}
