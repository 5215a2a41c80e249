import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  type UIEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { rowsInSight, scrollFor } from '../WindowedList.tsx';
import { useFocusRestore } from '../focus.ts';
import { actionOfKey, type GridAction, type GridRow, idsBetween, ROW_HEIGHT, rowByText } from './grid-rows.ts';

export interface Column<R> {
  readonly key: string;
  readonly title: string;
  /** A width in CSS grid syntax. */
  readonly width: string;
  readonly cell: (row: R) => ReactNode;
}

interface Props<R extends GridRow> {
  readonly label: string;
  /** A sentence on how to use the keyboard. */
  readonly help?: string;
  readonly rows: readonly R[];
  /** The first one names the row. Stable between renderings, so that scrolling renders only new rows. */
  readonly columns: readonly Column<R>[];
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  /** Labels the checkbox that selects all visible rows. */
  readonly selectAll: (count: number) => string;
  /** The row with keyboard focus. */
  readonly active: string | undefined;
  readonly onActive: (id: string) => void;
  readonly onExpand?: (id: string, open: boolean) => void;
  /** Opens a row, by a click on it or Enter; then only its checkbox selects it. Without it, both select it. */
  readonly onOpen?: (id: string) => void;
  /** The column that rows are sorted by, and a function that changes it. */
  readonly sort?: { readonly key: string; readonly descending: boolean; readonly onSort: (key: string) => void };
  readonly height: number;
  /** Each new value restores focus to the grid if it was lost: what a row had opened was closed. */
  readonly refocus?: unknown;
}

/** Milliseconds within which letters belong to one search term. */
const TYPING = 700;

/**
 * A grid or, if rows have levels, a tree of any length: only what is on the screen is in the document. The grid has focus
 * and identifies the active row, so a row that is scrolled out of view cannot lose focus.
 */
export function VirtualGrid<R extends GridRow>(props: Props<R>) {
  const { label, help, rows, columns, selected, onSelect, selectAll, active, onActive, onExpand, onOpen, sort, height, refocus } = props;
  const grid = useId();
  const scroller = useFocusRestore<HTMLDivElement>(refocus);
  const anchor = useRef<string>(undefined);
  const typed = useRef({ text: '', at: 0 });
  const [scrolled, setScrolled] = useState(0);
  // Filtering leaves fewer rows: the list keeps its height, so that what is below it doesn't move.
  const [tallest, setTallest] = useState(rows.length);
  if (rows.length > tallest) setTallest(rows.length);
  const isTree = rows.some(({ level }) => level !== undefined);
  const found = rows.findIndex(({ id }) => id === active);
  const current = found < 0 ? 0 : found;

  const act = (action: GridAction): void => {
    switch (action.type) {
      case 'move': {
        const to = rows.findIndex(({ id }) => id === action.to);
        if (action.extend) {
          anchor.current ??= rows[current]?.id;
          const from = rows.findIndex(({ id }) => id === anchor.current);
          onSelect(new Set([...selected, ...idsBetween(rows, from < 0 ? current : from, to)]));
        } else {
          anchor.current = undefined;
        }
        const top = scrollFor(to, scroller.current?.scrollTop ?? 0, height - ROW_HEIGHT, ROW_HEIGHT);
        if (top !== undefined) scroller.current?.scrollTo?.({ top });
        return onActive(action.to);
      }
      case 'toggle': {
        anchor.current = action.id;
        if (rows.find(({ id }) => id === action.id)?.selectable !== true) return undefined;
        const next = new Set(selected);
        if (!next.delete(action.id)) next.add(action.id);
        return onSelect(next);
      }
      case 'open':
        return onOpen === undefined ? act({ type: 'toggle', id: action.id }) : onOpen(action.id);
      case 'expand':
        return onExpand?.(action.id, action.open);
      case 'all':
        return onSelect(new Set([...selected, ...idsBetween(rows, 0, rows.length - 1)]));
      case 'none':
        return selected.size > 0 ? onSelect(new Set()) : undefined;
      default:
        return action satisfies never;
    }
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey: shift, altKey } = event;
    const command = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(height / ROW_HEIGHT) - 2);
    const action =
      actionOfKey(rows, current, { key, shift, command }, page) ?? (command || altKey ? undefined : find(key, event.timeStamp));
    if (action === undefined) return;
    event.preventDefault();
    act(action);
  };

  const find = (key: string, at: number): GridAction | undefined => {
    if (key.length !== 1) return undefined;
    const text = at - typed.current.at < TYPING ? typed.current.text + key : key;
    typed.current = { text, at };
    const row = rowByText(rows, current, text);
    return row === undefined ? undefined : { type: 'move', to: row.id, extend: false };
  };

  const handler = useRef<(clicked: Clicked) => void>(undefined);
  useEffect(() => {
    handler.current = ({ id, shift, isExpander, isCheckbox }) => {
      const row = rows.find((candidate) => candidate.id === id);
      if (row === undefined) return;
      if (isExpander && row.expanded !== undefined) act({ type: 'expand', id, open: !row.expanded });
      else if (shift) act({ type: 'move', to: id, extend: true });
      else act({ type: isCheckbox ? 'toggle' : 'open', id });
      onActive(id);
    };
  });
  const onClick = useCallback((clicked: Clicked) => handler.current?.(clicked), []);
  const template = columns.map(({ width }) => width).join(' ');
  const id = (row: R) => `${grid}-${encodeURIComponent(row.id)}`;
  const currentRow = rows[current];
  return (
    <>
      {help !== undefined && (
        <p className="rp-hidden" id={`${grid}-help`}>
          {help}
        </p>
      )}
      <div
        role={isTree ? 'treegrid' : 'grid'}
        aria-label={label}
        {...(help === undefined ? {} : { 'aria-describedby': `${grid}-help` })}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        {...(currentRow === undefined ? {} : { 'aria-activedescendant': id(currentRow) })}
        tabIndex={0}
        className="rp-grid"
        ref={scroller}
        style={{ minHeight: Math.min(height, (tallest + 1) * ROW_HEIGHT), maxHeight: height }}
        onKeyDown={onKeyDown}
        onScroll={(event: UIEvent<HTMLDivElement>) => setScrolled(event.currentTarget.scrollTop)}
      >
        <div role="rowgroup" className="rp-grid-head">
          <div role="row" aria-rowindex={1} className="rp-grid-row" style={{ gridTemplateColumns: template }}>
            {columns.map(({ key, title }, index) => (
              <ColumnHead key={key} name={key} title={title} sort={sort}>
                {index === 0 && <SelectAll rows={rows} selected={selected} onSelect={onSelect} label={selectAll} />}
              </ColumnHead>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="rp-grid-body" style={{ height: rows.length * ROW_HEIGHT }}>
          {rowsInSight(rows.length, scrolled, height, ROW_HEIGHT, current).map((index) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <GridLine
                key={row.id}
                id={id(row)}
                row={row}
                index={index}
                columns={columns}
                template={template}
                isSelected={selected.has(row.id)}
                isActive={index === current}
                onClick={onClick}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

interface HeadProps {
  readonly name: string;
  readonly title: string;
  readonly sort: Props<GridRow>['sort'];
  readonly children: ReactNode;
}

/** The header of a column; if the rows can be sorted, a button that does so. */
function ColumnHead({ name, title, sort, children }: HeadProps) {
  if (sort === undefined) {
    return (
      <span role="columnheader" className="rp-grid-cell">
        {children}
        {title}
      </span>
    );
  }
  const order = sort.key !== name ? 'none' : sort.descending ? 'descending' : 'ascending';
  return (
    <span role="columnheader" className="rp-grid-cell" aria-sort={order}>
      {children}
      <button type="button" className="rp-grid-sort" onClick={() => sort.onSort(name)} onKeyDown={(event) => event.stopPropagation()}>
        {title}
        {order !== 'none' && <span aria-hidden="true">{order === 'ascending' ? '↑' : '↓'}</span>}
      </button>
    </span>
  );
}

interface SelectAllProps extends Pick<Props<GridRow>, 'rows' | 'selected' | 'onSelect'> {
  readonly label: (count: number) => string;
}

/** Selects the visible rows, or clears them if all are selected; hidden rows are unchanged. */
function SelectAll({ rows, selected, onSelect, label }: SelectAllProps) {
  const ids = idsBetween(rows, 0, rows.length - 1);
  const count = ids.filter((id) => selected.has(id)).length;
  const isAll = count === ids.length;
  return (
    <input
      type="checkbox"
      className="rp-grid-all"
      aria-label={label(ids.length)}
      checked={isAll && count > 0}
      disabled={ids.length === 0}
      ref={(box) => {
        if (box !== null) box.indeterminate = count > 0 && !isAll;
      }}
      onChange={() => {
        const next = new Set(selected);
        for (const id of ids) {
          if (isAll) next.delete(id);
          else next.add(id);
        }
        onSelect(next);
      }}
      onKeyDown={(event) => event.stopPropagation()}
    />
  );
}

interface Clicked {
  readonly id: string;
  readonly shift: boolean;
  /** On the control that expands and collapses it. */
  readonly isExpander: boolean;
  /** On its checkbox. */
  readonly isCheckbox: boolean;
}

interface LineProps<R extends GridRow> {
  readonly id: string;
  readonly row: R;
  readonly index: number;
  readonly columns: readonly { readonly key: string; readonly cell: (row: R) => ReactNode }[];
  readonly template: string;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly onClick: (clicked: Clicked) => void;
}

function Line<R extends GridRow>({ id, row, index, columns, template, isSelected, isActive, onClick }: LineProps<R>) {
  const { level, expanded, position, size, selectable } = row;
  const click = (event: MouseEvent): void => {
    const { target } = event;
    const isOn = (part: string): boolean => target instanceof Element && target.closest(part) !== null;
    onClick({ id: row.id, shift: event.shiftKey, isExpander: isOn('.rp-grid-mark'), isCheckbox: isOn('.rp-grid-box') });
  };
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      {...(level === undefined ? {} : { 'aria-level': level })}
      {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
      {...(position === undefined ? {} : { 'aria-posinset': position })}
      {...(size === undefined ? {} : { 'aria-setsize': size })}
      {...(selectable ? { 'aria-selected': isSelected } : {})}
      className={`rp-grid-row${isActive ? ' rp-grid-active' : ''}${isSelected ? ' rp-grid-selected' : ''}`}
      style={{ gridTemplateColumns: template, top: index * ROW_HEIGHT }}
      onClick={click}
    >
      {columns.map(({ key, cell }, index) => (
        <div role={index === 0 ? 'rowheader' : 'gridcell'} key={key} className="rp-grid-cell" {...(index === 0 ? { title: row.text } : {})}>
          {index === 0 && (
            <>
              {level !== undefined && (
                <span
                  className={`rp-grid-mark${expanded === undefined ? '' : expanded ? ' rp-grid-open' : ' rp-grid-closed'}`}
                  style={{ marginInlineStart: (level - 1) * 18 }}
                  aria-hidden="true"
                />
              )}
              <span className={`rp-grid-box${selectable ? '' : ' rp-grid-no-box'}`} aria-hidden="true" />
            </>
          )}
          {cell(row)}
        </div>
      ))}
    </div>
  );
}

/** A row of the grid; rendered again only when its own data changes. */
// Safe: memo passes props through unchanged; its type loses that the component is generic.
const GridLine = memo(Line) as typeof Line;
