import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import ChevronLeft from '@spectrum-icons/workflow/ChevronLeft';
import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import { useMessages } from '../../ui/use-messages.ts';
import type { Paging } from './use-pages.ts';

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
