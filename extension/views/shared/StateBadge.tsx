import { STATE_TONES } from '#extension/setup/site-states.ts';
import type { SiteState } from '#contract/site-check.ts';
import { useMessages } from '../messages/use-messages.ts';
import { Badge } from './Badge.tsx';

/** The state of a site, the same word and colour wherever it is shown. */
export function StateBadge({ state }: { readonly state: SiteState }) {
  const { siteStates } = useMessages();
  return <Badge tone={STATE_TONES[state]} text={siteStates[state]} />;
}
