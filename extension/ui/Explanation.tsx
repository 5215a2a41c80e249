import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import type { ReactNode, Ref } from 'react';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';

interface Props {
  readonly title?: string;
  readonly explained: Explained;
  readonly details?: readonly string[];
  /** Set where the focus goes when the explanation appears. */
  readonly focus?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
}

/** A failure in words: what happened, what to do next, and a way to do it. */
export function Explanation({ title, explained, details = [], focus, children }: Props) {
  return (
    <div className="rp-notice rp-notice-negative" role="alert" tabIndex={-1} ref={focus}>
      <AlertCircle size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        {title !== undefined && <p className="rp-notice-title">{title}</p>}
        <p>{explained.sentence}</p>
        {details.length > 0 && (
          <ul className="rp-plain-list">
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
        {explained.next !== undefined && <p className="rp-next">{explained.next}</p>}
        {children !== undefined && <div className="rp-actions">{children}</div>}
      </div>
    </div>
  );
}
