import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { CONTENT_ROOT, childPages } from './pages.ts';
import type { PageNode } from './pages.ts';
import type { Author } from './sling.ts';

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

/** The content tree, each level read when it is opened for the first time. Begins with the levels above `selected` open. */
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
  // The selection matters at the beginning alone: later it follows what is already open.
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
