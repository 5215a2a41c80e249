import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useMessages } from '../use-messages.ts';

interface Props {
  readonly text: string;
  readonly selected: readonly { readonly id: string }[];
  readonly rows: readonly { readonly id: string }[];
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** The number of selected rows; those hidden by a filter or a closed page are counted separately, and can be cleared. */
export function SelectionCount({ text, selected, rows, onSelect }: Props) {
  const { overview: messages } = useMessages('sites');
  const ids = new Set(rows.map(({ id }) => id));
  const shown = selected.filter(({ id }) => ids.has(id));
  const hidden = selected.length - shown.length;
  return (
    <>
      <span className="rp-strong" role="status">
        {hidden === 0 ? text : `${text}: ${messages.chosenHidden({ shown: shown.length, hidden })}`}
      </span>
      {hidden > 0 && (
        <ActionButton isQuiet onPress={() => onSelect(new Set(shown.map(({ id }) => id)))}>
          {messages.clearHidden}
        </ActionButton>
      )}
    </>
  );
}
