import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import ChevronLeft from '@spectrum-icons/workflow/ChevronLeft';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';

/** The way through a list that is shown a page at a time. */
export function Pages({ paging }: { readonly paging: Paging<unknown> }) {
  const { review } = useMessages('sites');
  if (!paging.hasMany) return null;
  return (
    <div className="rp-actions">
      <ActionButton aria-label={review.previous} isDisabled={paging.from <= 1} onPress={paging.previous}>
        <ChevronLeft />
      </ActionButton>
      <span role="status">{review.pages({ from: paging.from, to: paging.to, of: paging.of })}</span>
      <ActionButton aria-label={review.next} isDisabled={paging.to >= paging.of} onPress={paging.next}>
        <ChevronRight />
      </ActionButton>
    </div>
  );
}

interface Paging<T> {
  readonly shown: readonly T[];
  /** Numbers of the first and last that are shown, from 1. */
  readonly from: number;
  readonly to: number;
  readonly of: number;
  readonly hasMany: boolean;
  previous(): void;
  next(): void;
}

/** A long list a page at a time, so that a table with fields in it stays quick. */
export function usePages<T>(items: readonly T[], size: number): Paging<T> {
  const [wanted, setWanted] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  const page = Math.min(wanted, last);
  const shown = items.slice(page * size, (page + 1) * size);
  return {
    shown,
    from: shown.length === 0 ? 0 : page * size + 1,
    to: page * size + shown.length,
    of: items.length,
    hasMany: items.length > size,
    previous: () => setWanted(Math.max(0, page - 1)),
    next: () => setWanted(Math.min(last, page + 1)),
  };
}
