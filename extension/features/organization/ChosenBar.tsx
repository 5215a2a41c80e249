import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { SiteGridRow } from './organization-rows.ts';
import type { Repair } from './use-repair.ts';

interface Props {
  readonly rows: readonly SiteGridRow[];
  /** The list as text, for a spreadsheet. */
  readonly csv: string;
  /** A run is under way, beside which no other may begin. */
  readonly isBusy: boolean;
  readonly repair: Repair;
  /** Absent where the service does not change many sites. */
  readonly onEdit: (() => void) | undefined;
  readonly onMove: () => void;
  /** Absent where nobody can read what goes with a site. */
  readonly onRemove: (() => void) | undefined;
  readonly onClear: () => void;
}

/** What can be done with the chosen sites. It stands above the list, where it is seen as soon as one is chosen. */
export function ChosenBar({ rows, csv, isBusy, repair, onEdit, onMove, onRemove, onClear }: Props) {
  const { overview: messages, move, removals } = useMessages('sites');
  return (
    <div className="rp-chosen" role="group" aria-label={messages.actions}>
      <span className="rp-strong" role="status">
        {messages.chosen({ count: rows.length })}
      </span>
      <ActionButton isDisabled={isBusy || repair.pages !== undefined} onPress={() => void repair.begin(rows)}>
        {messages.repair}
      </ActionButton>
      {onEdit !== undefined && <ActionButton onPress={onEdit}>{messages.edit}</ActionButton>}
      <ActionButton isDisabled={isBusy} onPress={onMove}>
        {move.open}
      </ActionButton>
      {onRemove !== undefined && (
        <ActionButton isDisabled={isBusy} onPress={onRemove}>
          {removals.open}
        </ActionButton>
      )}
      <CopyButton text={csv} shown={messages.csv} />
      <ActionButton isQuiet onPress={onClear}>
        {messages.unchoose}
      </ActionButton>
      <RepairStatus repair={repair} />
    </div>
  );
}

/** How far the pages are read that a repair begins with. */
export function RepairStatus({ repair: { pages, isNone } }: { readonly repair: Repair }) {
  const { overview: messages } = useMessages('sites');
  return (
    <span className="rp-quiet" role="status">
      {pages === undefined ? (isNone ? messages.repairNone : '') : messages.repairing({ pages })}
    </span>
  );
}
