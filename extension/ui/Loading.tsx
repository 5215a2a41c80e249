import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { ReactNode } from 'react';
import { useMessages } from './use-messages.ts';

/** A progress circle, and what is being loaded. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <div className="rp-loading" role="status">
      <ProgressCircle isIndeterminate size="M" aria-label={text} />
      <span>{text}</span>
    </div>
  );
}

interface StatusProps {
  readonly as?: 'p' | 'span';
  readonly children: ReactNode;
}

/** A quiet line of text whose changes are announced, so it stays mounted while it is empty. */
export function Status({ as: Element = 'p', children }: StatusProps) {
  return (
    <Element role="status" className="rp-quiet">
      {children}
    </Element>
  );
}

/** The same, invisible: for what the view shows in another way. */
export function Announcement({ children }: Pick<StatusProps, 'children'>) {
  return (
    <span role="status" className="rp-hidden">
      {children}
    </span>
  );
}

/** The document's heading while nothing with its own title is on the screen. */
export function HiddenTitle() {
  return <h1 className="rp-hidden">{useMessages().general.product}</h1>;
}
