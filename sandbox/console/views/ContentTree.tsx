import { Heading } from '@adobe/react-spectrum/Heading';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { Text } from '@adobe/react-spectrum/Text';
import { Collection, TreeView, TreeViewItem, TreeViewItemContent } from '@adobe/react-spectrum/TreeView';
import type { Level, Tree } from '../authoring/use-tree.ts';
import { Notice } from './Notice.tsx';

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
