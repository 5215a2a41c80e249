import type { ReadableTree } from './content-store.ts';
import { nameOf, parentOf } from './resource.ts';
import type { Properties, Resource } from './resource.ts';

/** Sling's JSON renderer refuses more than this many resources below one at once. */
const RESOURCE_LIMIT = 200;

export type Reading =
  | { readonly kind: 'json'; readonly value: Readonly<Record<string, unknown>> }
  /** Too much at once: the addresses that would work, deepest first. */
  | { readonly kind: 'alternatives'; readonly addresses: readonly string[] };

/**
 * A resource and what is below it, `depth` levels deep (0: its properties alone). Past the limit the alternatives, but one level
 * that is asked for is always given, as Sling does, so that a reader can walk on, even where the alternatives do not offer it. `show` may add what a resource only shows and does not hold.
 */
export function readResource(tree: ReadableTree, resource: Resource, depth: number, show: (resource: Resource) => Properties): Reading {
  const root: Record<string, unknown> = { ...show(resource) };
  const objects = new Map([[resource.path, root]]);
  let level: Resource[] = [resource];
  let count = 0;
  for (let reached = 0; reached < depth && level.length > 0; reached += 1) {
    const next: Resource[] = [];
    for (const parent of level) {
      next.push(...tree.children(parent.path));
      if (depth > 1 && count + next.length > RESOURCE_LIMIT) return { kind: 'alternatives', addresses: addresses(resource, reached) };
    }
    for (const child of next) {
      const object = { ...show(child) };
      objects.set(child.path, object);
      const parent = objects.get(parentOf(child.path));
      if (parent !== undefined) parent[nameOf(child.path)] = object;
    }
    count += next.length;
    level = next;
  }
  return { kind: 'json', value: root };
}

/** The depth that the last selector of an address asks for; undefined for one that is neither a depth nor `tidy`. */
export function depthOf(selectors: readonly string[]): number | undefined {
  const level = selectors.at(-1);
  if (level === undefined || level === 'tidy') return 0;
  if (level === 'infinity' || level === '-1') return Infinity;
  return /^(0|[1-9]\d*)$/.test(level) ? Number(level) : undefined;
}

/** The addresses that always work, from so many levels down to none. */
export function addresses(resource: Resource, deepest: number): string[] {
  return Array.from({ length: deepest + 1 }, (_, index) => `${resource.path}.${deepest - index}.json`);
}

/** `{path}/{property}.json`, with selectors or without: that property alone, its value or values as texts. */
export function readProperty(tree: ReadableTree, path: string): Readonly<Record<string, unknown>> | undefined {
  const [, name = ''] = /^([^.]+)(?:\.[^.]+)*\.json$/.exec(nameOf(path)) ?? [];
  const value = tree.read(parentOf(path))?.properties[name];
  if (value === undefined) return undefined;
  return { [name]: Array.isArray(value) ? value.map(String) : String(value) };
}
