import { PageContent } from '@repoless/contract/authoring.ts';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { type Author, AuthoringProblem, readSling } from './sling.ts';

export type Level =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'ready'; readonly pages: readonly PageNode[] };

export interface Tree {
  readonly root: Level;
  readonly levels: ReadonlyMap<string, Level>;
  readonly expanded: ReadonlySet<string>;
  expand(paths: ReadonlySet<string>): void;
  reload(path?: string): void;
}

/** The content tree; each level is read when it is first opened. The ancestors of `selected` start open. */
export function useTree(author: Author, selected: string | undefined): Tree {
  const [levels, setLevels] = useState<ReadonlyMap<string, Level>>(new Map());
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(pathsAbove(selected)));
  const load = useCallback(
    async (path: string) => {
      const put = (level: Level) => setLevels((before) => new Map(before).set(path, level));
      put({ state: 'loading' });
      try {
        put({ state: 'ready', pages: await childPages(author, path) });
      } catch (error) {
        put({ state: 'failed', sentence: error instanceof Error ? error.message : 'Couldn’t read the pages.' });
      }
    },
    [author],
  );
  // The selection matters only initially: afterwards it is somewhere in the open levels.
  const begin = useEffectEvent((read: typeof load) => {
    for (const path of [CONTENT_ROOT, ...pathsAbove(selected)]) void read(path);
  });
  useEffect(() => begin(load), [load]);
  return {
    root: levels.get(CONTENT_ROOT) ?? { state: 'loading' },
    levels,
    expanded,
    expand: (paths) => {
      setExpanded(paths);
      for (const path of paths) if (!levels.has(path)) void load(path);
    },
    reload: (path) => void load(path ?? CONTENT_ROOT),
  };
}

function pathsAbove(path: string | undefined): string[] {
  const segments = (path ?? '').split('/').slice(2, -1);
  return segments.map((_, index) => [CONTENT_ROOT, ...segments.slice(0, index + 1)].join('/'));
}

/** A row of the content tree. */
interface PageNode {
  readonly path: string;
  readonly title: string;
  /** False if it certainly has no children. */
  readonly expandable: boolean;
}

const CONTENT_ROOT = '/content';

/** The child pages of a path, in the authoring system's order. */
async function childPages(author: Author, path: string): Promise<PageNode[]> {
  const { deep, node } = await readLevels(author, path);
  const pages: PageNode[] = [];
  for (const [name, value] of Object.entries(node)) {
    const child = Child.safeParse(value);
    if (!child.success || !PAGE_TYPES.includes(child.data['jcr:primaryType'])) continue;
    const title = child.data['jcr:content']?.['jcr:title'] ?? child.data['jcr:title'] ?? name;
    pages.push({ path: `${path}/${name}`, title, expandable: !deep || hasPages(child.data) });
  }
  return pages;
}

/** Two levels, which contain the titles and whether a child has children; one level if two are too large. */
async function readLevels(author: Author, path: string): Promise<{ deep: boolean; node: Record<string, unknown> }> {
  try {
    return { deep: true, node: Node.parse((await readSling(author, path, '2')) ?? {}) };
  } catch (error) {
    if (!(error instanceof AuthoringProblem) || error.status !== 300) throw error;
    return { deep: false, node: Node.parse((await readSling(author, path, '1')) ?? {}) };
  }
}

function hasPages(node: Record<string, unknown>): boolean {
  return Object.values(node).some((value) => {
    const child = Child.safeParse(value);
    return child.success && PAGE_TYPES.includes(child.data['jcr:primaryType']);
  });
}

const PAGE_TYPES = ['cq:Page', 'sling:Folder', 'sling:OrderedFolder', 'nt:folder'];
const Node = z.record(z.string(), z.unknown());
const Child = z.looseObject({ 'jcr:primaryType': z.string(), 'jcr:title': z.string().optional(), 'jcr:content': PageContent.optional() });
