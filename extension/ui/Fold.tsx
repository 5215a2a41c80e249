import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import type { ReactNode } from 'react';

interface Props {
  readonly title: ReactNode;
  /** Said to assistive technology after the title, where the same title stands several times. */
  readonly of?: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A part that is folded away until it is wanted: the browser's own disclosure, so that keyboard and search work. */
export function Fold({ title, of, open = false, children }: Props) {
  return (
    <details className="rp-fold" open={open}>
      <summary>
        <ChevronRight size="XS" UNSAFE_className="rp-fold-mark" />
        {title}
        {of !== undefined && <span className="rp-hidden">: {of}</span>}
      </summary>
      <div className="rp-fold-body">{children}</div>
    </details>
  );
}
