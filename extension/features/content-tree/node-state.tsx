import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { Badge } from '../../ui/Badge.tsx';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { RowState } from './tree-rows.ts';

/** The state of a page's site, in words beside the colour. */
export function NodeStateBadge({ state }: { readonly state: RowState }) {
  const { tree } = useMessages('sites');
  return state === 'covered' ? <Badge tone="neutral" text={tree.covered} /> : <StateBadge state={state} />;
}

/** The site of a page: its own with what differs, or the one that it is part of. */
export function NodeSite({ node }: { readonly node: TreeNode }) {
  const { tree } = useMessages('sites');
  const { state } = node;
  switch (state.kind) {
    case 'site': {
      const fields = state.drifts.map(({ field }) => tree.drifts[field]).join(', ');
      const text = fields === '' ? state.site : `${state.site}: ${fields}`;
      return (
        <span className="rp-clip" title={text}>
          {text}
        </span>
      );
    }
    case 'promised':
      return (
        <span className="rp-clip" title={tree.missingSite({ name: state.promised })}>
          {tree.missingSite({ name: state.promised })}
        </span>
      );
    case 'covered':
    case 'not-yet':
      if (state.by === undefined) return null;
      return (
        <span className="rp-clip rp-dim" title={tree.coveredBy({ site: state.by })}>
          {tree.coveredBy({ site: state.by })}
        </span>
      );
    case 'unknown':
      return null;
    default:
      return state satisfies never;
  }
}

export function NodeConfiguration({ node: { cloudConfiguration } }: { readonly node: TreeNode }) {
  const { tree } = useMessages('sites');
  const { value, source } = cloudConfiguration;
  if (value === undefined) return <span className="rp-dim">{tree.noConfiguration}</span>;
  const from = source.kind === 'inherited' ? tree.inherited({ from: source.from }) : undefined;
  return (
    <span className={from === undefined ? 'rp-clip' : 'rp-clip rp-dim'} title={from === undefined ? value : `${value}, ${from}`}>
      {value}
      {from !== undefined && <span className="rp-hidden">, {from}</span>}
    </span>
  );
}
