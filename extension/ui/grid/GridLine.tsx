import { memo, type MouseEvent, type ReactNode } from 'react';
import { type GridRow, ROW_HEIGHT } from './grid-rows.ts';

export interface Clicked {
  readonly id: string;
  readonly shift: boolean;
  /** On the control that expands and collapses it. */
  readonly onMark: boolean;
  /** On its checkbox. */
  readonly onBox: boolean;
}

interface Props<R extends GridRow> {
  readonly id: string;
  readonly row: R;
  readonly index: number;
  readonly columns: readonly { readonly key: string; readonly cell: (row: R) => ReactNode }[];
  readonly template: string;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly onClick: (clicked: Clicked) => void;
}

function Line<R extends GridRow>({ id, row, index, columns, template, isSelected, isActive, onClick }: Props<R>) {
  const { level, expanded, position, size, selectable } = row;
  const click = (event: MouseEvent): void => {
    const { target } = event;
    const isOn = (part: string): boolean => target instanceof Element && target.closest(part) !== null;
    onClick({ id: row.id, shift: event.shiftKey, onMark: isOn('.rp-grid-mark'), onBox: isOn('.rp-grid-box') });
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
      {columns.map(({ key, cell }, place) => (
        <div role={place === 0 ? 'rowheader' : 'gridcell'} key={key} className="rp-grid-cell" {...(place === 0 ? { title: row.text } : {})}>
          {place === 0 && (
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
export const GridLine = memo(Line) as typeof Line;
