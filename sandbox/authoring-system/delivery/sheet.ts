import type { Sheet } from '@repoless/contract/authoring.ts';
import type { ReadableTree } from '../content-store.ts';
import { SPREADSHEET_TYPE } from '../create-page.ts';
import { textOf } from '../resource.ts';

/** The rows of a spreadsheet page; undefined where the page is of another type or missing. */
export function sheetOf(tree: ReadableTree, page: string): Sheet | undefined {
  const content = tree.read(`${page}/jcr:content`);
  if (content === undefined || textOf(content.properties, 'sling:resourceType') !== SPREADSHEET_TYPE) return undefined;
  return sheet(
    tree
      .children(content.path)
      .map(({ properties }) => ({ key: textOf(properties, 'key') ?? '', value: textOf(properties, 'value') ?? '' })),
  );
}

export function sheet(data: Sheet['data']): Sheet {
  return { total: data.length, offset: 0, limit: data.length, data, ':type': 'sheet' };
}
