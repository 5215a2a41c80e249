import { sameValue } from '@repoless/contract/same-value.ts';
import { rowMappings } from './propose-rows.ts';
import type { SiteRow } from './rows.ts';

export type EditedCell =
  'siteName' | 'contentRoot' | 'cloudConfiguration' | 'technicalAccount' | 'configurationPage' | 'mappings' | 'includes';

/** The text of a cell: lists have one entry on each line. */
export function cellText(row: SiteRow, cell: EditedCell): string {
  const value = row[cell];
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}

/**
 * A row after one of its cells was edited. Mappings and includes that were not touched follow the content root and the
 * configuration page; a cell that may be absent is when it is emptied.
 */
export function editRow(row: SiteRow, cell: EditedCell, text: string): SiteRow {
  switch (cell) {
    case 'siteName':
    case 'technicalAccount':
      return { ...row, [cell]: text.trim() };
    case 'mappings':
      return { ...row, mappings: lines(text) };
    case 'includes': {
      const { includes: _before, givesUpIncludes: _given, ...rest } = row;
      return text.trim() === '' ? { ...rest, givesUpIncludes: true } : { ...rest, includes: lines(text) };
    }
    case 'contentRoot':
      return following(row, { ...row, contentRoot: text.trim() });
    case 'configurationPage': {
      const { configurationPage: _before, ...rest } = row;
      return following(row, text.trim() === '' ? rest : { ...rest, configurationPage: text.trim() });
    }
    case 'cloudConfiguration': {
      const { cloudConfiguration: _before, ...rest } = row;
      return text.trim() === '' ? rest : { ...rest, cloudConfiguration: text.trim() };
    }
    default:
      return cell satisfies never;
  }
}

function following(before: SiteRow, after: SiteRow): SiteRow {
  const untouched = sameValue(before.mappings, rowMappings(before.contentRoot, before.configurationPage));
  const included = sameValue(before.includes, [`${before.contentRoot}/`]);
  return {
    ...after,
    ...(untouched ? { mappings: rowMappings(after.contentRoot, after.configurationPage) } : {}),
    ...(included ? { includes: [`${after.contentRoot}/`] } : {}),
  };
}

/** Lines as they are typed: the one that is being begun stays, so that a further line can be written. */
function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => line.trim());
}
