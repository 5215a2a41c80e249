import { Heading } from '@adobe/react-spectrum/Heading';
import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import { Text } from '@adobe/react-spectrum/Text';
import { Collection, TreeView, TreeViewItem, TreeViewItemContent } from '@adobe/react-spectrum/TreeView';
import type { Tree } from '../authoring/use-tree.ts';
import { rowsOf } from './tree-rows.ts';
import type { Row } from './tree-rows.ts';
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
