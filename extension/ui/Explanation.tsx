import AlertCircle from '@spectrum-icons/workflow/AlertCircle';
import type { ReactNode, Ref } from 'react';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import { Notice } from './Notice.tsx';

interface Props {
  readonly title?: string;
  readonly explained: Explained;
  readonly details?: readonly string[];
  /** Set if focus moves to the explanation when it appears. */
  readonly focus?: Ref<HTMLDivElement>;
  readonly children?: ReactNode;
}

/** An explained failure: what happened, what to do next, and a button for that. */
export function Explanation({ title, explained, details = [], focus, children }: Props) {
  return (
    <Notice tone="negative" icon={AlertCircle} role="alert" title={title} focus={focus} actions={children}>
      <p>{explained.sentence}</p>
      {details.length > 0 && (
        <ul className="rp-plain-list">
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      {explained.next !== undefined && <p className="rp-next">{explained.next}</p>}
    </Notice>
  );
}
