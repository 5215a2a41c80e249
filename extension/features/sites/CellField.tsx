import { TextArea } from '@adobe/react-spectrum/TextArea';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { CellProblem, SiteRow } from '@repoless/core/sites/rows.ts';
import { explainCell } from '@repoless/core/messages/explain-row.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { cellText } from '@repoless/core/sites/edit-row.ts';
import type { EditedCell } from '@repoless/core/sites/edit-row.ts';

interface Props {
  readonly row: SiteRow;
  readonly cell: EditedCell;
  readonly problems: readonly CellProblem[];
  /** Shown above the field; in the table the column's head says it. */
  readonly hasLabel?: boolean;
  readonly help?: string;
  readonly isDisabled: boolean;
  readonly onEdit: (cell: EditedCell, text: string) => void;
}

/** One value of a row, with what is wrong with it right below. */
export function CellField({ row, cell, problems, hasLabel = false, help, isDisabled, onEdit }: Props) {
  const messages = useMessages('sites');
  const sentences = problems.filter((problem) => problem.cell === cell).map(({ says }) => explainCell(messages, says));
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
  return cell === 'mappings' || cell === 'includes' ? <TextArea {...shared} /> : <TextField {...shared} />;
}
