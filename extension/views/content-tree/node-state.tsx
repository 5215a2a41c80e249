import type { NodeState, TreeNode } from '#extension/setup/sites/tree.ts';
import { Badge } from '../shared/Badge.tsx';
import { useSitesWords } from '../sites/use-sites-words.ts';

const TONES = {
  base: 'info',
  'service-site': 'positive',
  covered: 'neutral',
  drifted: 'notice',
  'not-yet': 'yellow',
  unknown: 'neutral',
} as const satisfies Record<NodeState['kind'], string>;

/** What a page is with regard to the service's sites, in words beside the colour. */
export function NodeStateBadge({ state }: { readonly state: NodeState }) {
  const { tree } = useSitesWords();
  return <Badge tone={TONES[state.kind]} text={tree.states[state.kind]} />;
}

/** The site of a page: its own, the one that covers it, or what differs. */
export function NodeSite({ node }: { readonly node: TreeNode }) {
  const { tree } = useSitesWords();
  const { state } = node;
  switch (state.kind) {
    case 'base':
    case 'service-site':
      return <span className="rp-clip">{state.site}</span>;
    case 'covered':
      return <span className="rp-clip rp-dim">{tree.coveredBy(state.by)}</span>;
    case 'not-yet':
      return state.by === undefined ? null : <span className="rp-clip rp-dim">{tree.coveredBy(state.by)}</span>;
    case 'drifted': {
      const fields = state.drifts.map(({ field }) => tree.drifts[field]).join(', ');
      const promised = state.drifts[0]?.authoring ?? '';
      const text = state.site === undefined ? tree.missingSite(promised) : `${state.site}: ${fields}`;
      return (
        <span className="rp-clip" title={text}>
          {text}
        </span>
      );
    }
    case 'unknown':
      return null;
    default:
      return state satisfies never;
  }
}

export function NodeConfiguration({ node: { cloudConfiguration } }: { readonly node: TreeNode }) {
  const { tree } = useSitesWords();
  const { value, source } = cloudConfiguration;
  if (value === undefined) return <span className="rp-dim">{tree.noConfiguration}</span>;
  const from = source.kind === 'inherited' ? tree.inherited(source.from) : undefined;
  return (
    <span className={from === undefined ? 'rp-clip' : 'rp-clip rp-dim'} title={from === undefined ? value : `${value}, ${from}`}>
      {value}
      {from !== undefined && <span className="rp-hidden">, {from}</span>}
    </span>
  );
}
