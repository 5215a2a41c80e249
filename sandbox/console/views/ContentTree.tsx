import { Heading } from '@adobe/react-spectrum/Heading';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { Text } from '@adobe/react-spectrum/Text';
import { Collection, TreeView, TreeViewItem, TreeViewItemContent } from '@adobe/react-spectrum/TreeView';
import { Notice } from './Notice.tsx';
import { PageContent } from '@repoless/contract/authoring.ts';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { z } from 'zod';
import { type Author, AuthoringProblem, readSling } from '../authoring/page-properties.ts';

interface ContentTreeProps {
  readonly tree: Tree;
  readonly selected: string | undefined;
  onSelect(path: string): void;
}

/** The pages of the environment, read level by level. */
export function ContentTree({ tree, selected, onSelect }: ContentTreeProps) {
  return (
    <nav className="tree" aria-label="Content">
      <Heading level={2}>Content</Heading>
      <TreeBody tree={tree} selected={selected} onSelect={onSelect} />
    </nav>
  );
}

function TreeBody({ tree, selected, onSelect }: ContentTreeProps) {
  switch (tree.root.state) {
    case 'loading':
      return <ProgressCircle isIndeterminate aria-label="Reading the content tree" margin="size-200" />;
    case 'failed':
      return <Notice title="No content" sentence={tree.root.sentence} action={{ label: 'Try again', onPress: () => tree.reload() }} />;
    case 'ready':
      if (tree.root.pages.length === 0) return <Notice title="No pages" sentence="This environment has no pages that you may read." />;
      return (
        <TreeView
          aria-label="Pages"
          items={rowsOf(tree)}
          selectionMode="single"
          selectionStyle="highlight"
          disallowEmptySelection={selected !== undefined}
          selectedKeys={selected === undefined ? [] : [selected]}
          onSelectionChange={(keys) => {
            const key = keys === 'all' ? undefined : [...keys][0];
            if (typeof key !== 'string') return;
            const failed = failedPathOf(key);
            if (failed === undefined) onSelect(key);
            else tree.reload(failed);
          }}
          expandedKeys={tree.expanded}
          onExpandedChange={(keys) => tree.expand(new Set([...keys].map(String)))}
          width="100%"
          height="100%"
        >
          {(row: Row) => <PageRow row={row} />}
        </TreeView>
      );
    default:
      return tree.root satisfies never;
  }
}

function PageRow({ row }: { readonly row: Row }) {
  return (
    <TreeViewItem id={row.id} textValue={row.title} hasChildItems={row.expandable}>
      <TreeViewItemContent>
        <Text>
          {row.title}
          {row.name !== '' && <span className="quiet"> {row.name}</span>}
        </Text>
      </TreeViewItemContent>
      <Collection items={row.children}>{(child: Row) => <PageRow row={child} />}</Collection>
    </TreeViewItem>
  );
}

function failedPathOf(key: string): string | undefined {
  return key.startsWith('failed:') ? key.slice('failed:'.length) : undefined;
}

/** A row of the tree view. Rows that are not pages (loading, failed, empty) have a prefix in their id. */
interface Row {
  readonly id: string;
  readonly title: string;
  readonly name: string;
  readonly expandable: boolean;
  readonly children: readonly Row[];
}

function rowsOf(tree: Tree): Row[] {
  return rowsOfLevel(tree, '/content', tree.root);
}

function rowsOfLevel(tree: Tree, path: string, level: Level | undefined): Row[] {
  if (level === undefined || level.state === 'loading') return [message('loading', path, 'Reading…')];
  if (level.state === 'failed') return [message('failed', path, `${level.sentence} Select this row to try again.`)];
  if (level.pages.length === 0) return [message('empty', path, 'No pages below')];
  return level.pages.map((page) => ({
    id: page.path,
    title: page.title,
    name: page.path.slice(page.path.lastIndexOf('/') + 1),
    expandable: page.expandable,
    children: page.expandable && tree.expanded.has(page.path) ? rowsOfLevel(tree, page.path, tree.levels.get(page.path)) : [],
  }));
}

function message(kind: 'loading' | 'failed' | 'empty', path: string, title: string): Row {
  return { id: `${kind}:${path}`, title, name: '', expandable: false, children: [] };
}

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
  const startLoading = useEffectEvent((read: typeof load) => {
    for (const path of [CONTENT_ROOT, ...pathsAbove(selected)]) void read(path);
  });
  useEffect(() => startLoading(load), [load]);
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
