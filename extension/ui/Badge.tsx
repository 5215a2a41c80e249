import type { SiteState } from '@repoless/contract/site-check.ts';
import { STATE_TONES } from '@repoless/core/checks/site-state.ts';
import { useMessages } from './use-messages.ts';

export type BadgeTone = 'positive' | 'notice' | 'negative' | 'info' | 'neutral' | 'yellow';

/** A state as a word next to its color. Much lighter than a status light: long lists render dozens of them at each step. */
export function Badge({ tone, text }: { readonly tone: BadgeTone; readonly text: string }) {
  return <span className={`rp-badge rp-badge-${tone}`}>{text}</span>;
}

/** The state of a site, with the same word and color everywhere. */
export function StateBadge({ state }: { readonly state: SiteState }) {
  const { siteStates } = useMessages();
  return <Badge tone={STATE_TONES[state]} text={siteStates[state]} />;
}

interface TileProps {
  /** If absent, the label is plain text. */
  readonly tone: BadgeTone | undefined;
  readonly label: string;
  readonly count: number;
  readonly isShown: boolean;
  readonly onPress: () => void;
}

/** A number of sites; pressing it shows them. */
export function Tile({ tone, label, count, isShown, onPress }: TileProps) {
  return (
    <button type="button" className="rp-tile" aria-pressed={isShown} onClick={onPress}>
      <span className="rp-tile-count">{count}</span> {tone === undefined ? <span>{label}</span> : <Badge tone={tone} text={label} />}
    </button>
  );
}
