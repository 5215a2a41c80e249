import type { SiteInput, SitePart } from '#contract/site.ts';
import type { ConfigView } from './change.ts';

type Tree = Readonly<Record<string, unknown>>;

/** One part of a document by its address, e.g. `access/admin`. */
export function partView(part: SitePart): ConfigView {
  return { pointer: `/${part}`, read: (config) => part.split('/').reduce<unknown>(child, config) };
}

/**
 * The document with the part set (undefined: left out). A parent that is left empty goes too. `value` was parsed by the
 * schema of the part.
 */
export function withPart(config: SiteInput, part: SitePart, value: unknown): SiteInput {
  return asSite(placed(config, part.split('/'), value));
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
