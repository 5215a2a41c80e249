import type { ErrorCode } from '@repoless/contract/errors.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { Failure } from '../situation/situation.ts';
import type { Cell, CellProblem, RowProblem, RowReason } from './rows.ts';

/** The parts of a site's body and the cells that they are made of, the longest first. */
const CELLS: readonly (readonly [pointer: string, cell: Cell])[] = [
  ['/public/paths/mappings', 'mappings'],
  ['/public/paths/includes', 'includes'],
  ['/public/paths/excludes', 'excludes'],
  ['/access/admin/role/config_admin', 'technicalAccount'],
  ['/access', 'access'],
  ['/code', 'code'],
  ['/content/source/suffix', 'suffix'],
  ['/content/overlay', 'overlay'],
  ['/content', 'siteName'],
  ['/folders', 'folders'],
  ['/site', 'siteName'],
];

/** Cells that have a line for each entry. */
const LISTS: readonly Cell[] = ['mappings', 'includes', 'excludes'];

const CELL_OF_CODE: Partial<Record<ErrorCode, Cell>> = {
  NAME_INVALID: 'siteName',
  HOST_LABEL_TOO_LONG: 'siteName',
  CONTENT_ADDRESS_MISMATCH: 'siteName',
  CONTENT_ROOT_TAKEN: 'contentRoot',
  SECRET_NOT_ALLOWED: 'code',
  WOULD_LOCK_OUT: 'access',
};

/** The cell that a JSON pointer into a site's body leads to. */
export function cellOfPointer(pointer: string): Pick<CellProblem, 'cell' | 'index'> {
  const found = CELLS.find(([prefix]) => pointer === prefix || pointer.startsWith(`${prefix}/`));
  if (found === undefined) return { cell: 'row' };
  const [prefix, cell] = found;
  const index = /^\/(\d+)(\/|$)/.exec(pointer.slice(prefix.length))?.[1];
  return index === undefined || !LISTS.includes(cell) ? { cell } : { cell, index: Number(index) };
}

/** The cells that a refusal of the service is about. */
export function problemsOfFailure(failure: Failure): CellProblem[] {
  const { problem } = failure;
  if (problem === undefined) return [{ cell: 'row', says: { kind: 'failure', failure } }];
  const errors = problem.errors ?? [];
  if (errors.length === 0) {
    const cell = CELL_OF_CODE[problem.code] ?? 'row';
    return [{ cell, says: { kind: 'sentence', sentence: problem.detail, failure } }];
  }
  return errors.map(({ pointer, detail }) => ({ ...cellOfPointer(pointer), says: { kind: 'sentence', sentence: detail, failure } }));
}

const CELL_OF_REASON: Partial<Record<RowReason, Cell>> = {
  'page-missing': 'contentRoot',
  'content-root-taken': 'contentRoot',
  'page-not-there': 'contentRoot',
  'configuration-taken': 'cloudConfiguration',
  'configuration-page-type': 'configurationPage',
  'configuration-page-parent': 'configurationPage',
  'configuration-page-name': 'configurationPage',
  'configuration-shared': 'cloudConfiguration',
};

/** The cell that what stands in a row's way is about. */
export function problemsOfRow(problem: RowProblem): CellProblem[] {
  const { reason, data, failure } = problem;
  if (failure?.problem !== undefined) return problemsOfFailure(failure);
  if (reason === 'name-taken') {
    return [{ cell: 'siteName', says: { kind: 'name-taken', site: data['site'] ?? '', root: data['root'] ?? '' } }];
  }
  return [{ cell: CELL_OF_REASON[reason] ?? 'row', says: { kind: 'problem', problem } }];
}

/** The cells that the contract's own schema finds fault with. */
export function problemsOfIssues(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): CellProblem[] {
  return issues.map(({ path, message }) => ({ ...cellOfPointer(jsonPointer(path)), says: { kind: 'sentence', sentence: message } }));
}
