import type { Failure } from '@repoless/core/situation/situation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** Shown to people who may read but not change this: why, and who can grant it. */
export function ReadOnlyNotice({ failure }: { readonly failure: Failure }) {
  const { lookOnly } = useMessages('access');
  const { sentence } = explainFailure(useMessages(), failure);
  return (
    <div className="rp-notice rp-notice-info" role="status">
      <div className="rp-notice-body">
        <p className="rp-notice-title">{lookOnly}</p>
        <p>{sentence}</p>
      </div>
    </div>
  );
}
