import { STATE_TONES } from '@repoless/core/checks/site-states.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { useMessages } from './use-messages.ts';
import { Badge } from './Badge.tsx';

/** The state of a site, the same word and colour wherever it is shown. */
export function StateBadge({ state }: { readonly state: SiteState }) {
  const { siteStates } = useMessages();
  return <Badge tone={STATE_TONES[state]} text={siteStates[state]} />;
}
