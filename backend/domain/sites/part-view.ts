import type { PartValue } from '#contract/endpoints.ts';
import type { SiteInput, SitePart } from '#contract/site.ts';
import type { SiteView } from './site-view.ts';

type Tree = Readonly<Record<string, unknown>>;

/** One part of a site by its address, e.g. `access/admin`. */
export function partView(part: SitePart): SiteView {
  return { pointer: `/${part}`, read: (site) => part.split('/').reduce<unknown>(child, site) };
}

/** The site with the part set (undefined: left out). A parent that is left empty goes too. */
export function withPart<P extends SitePart>(site: SiteInput, part: P, value: PartValue<P> | undefined): SiteInput {
  return asSite(placed(site, part.split('/'), value));
}

function placed(tree: Tree, [key = '', ...below]: readonly string[], value: unknown): Tree {
  const next = below.length === 0 ? value : placed(asTree(tree[key]), below, value);
  const { [key]: _before, ...rest } = tree;
  const gone = next === undefined || (below.length > 0 && Object.keys(asTree(next)).length === 0);
  return gone ? rest : { ...rest, [key]: next };
}

function child(value: unknown, key: string): unknown {
  return asTree(value)[key];
}

function asTree(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

// Safe: the address of a part is its place in a site, and its value was parsed by the schema of that place.
function asSite(tree: Tree): SiteInput {
  return tree as SiteInput;
}
