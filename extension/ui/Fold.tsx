import ChevronRight from '@spectrum-icons/workflow/ChevronRight';
import type { ReactNode } from 'react';

interface Props {
  readonly title: ReactNode;
  /** Added to the title for assistive technology, if several sections have the same title. */
  readonly of?: string;
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A collapsible section: the browser's own disclosure, so that keyboard and search work. */
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
