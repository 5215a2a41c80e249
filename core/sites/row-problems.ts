import { EDGE_CONFIGURATION, PROXIED_WRITES } from '@repoless/contract/authoring.ts';
import { type ErrorCode, jsonPointer } from '@repoless/contract/errors.ts';
import { PathPrefix } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, hostLabelProblem, SiteName } from '@repoless/contract/names.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { PASSING_BLOCKS } from '../go-live/take-gate.ts';
import { failureData } from '../plan/plan.ts';
import { isTransient } from '../run/retry.ts';
import type { WriteObstacle } from './write-access.ts';
import { type Failure, isSignedOut } from '../situation/call.ts';
import { accountMismatch } from './environments.ts';
import { authorOfRow, rowBody } from './row-site.ts';
import type { Batch, Cell, CellProblem, NotRevertedReason, RowProblem, RowReason, RowStep, SiteRow } from './rows.ts';

export function problemOf(step: RowStep, failure: Failure): RowProblem {
  return { step, reason: reasonOf(failure), data: failureData(failure), failure };
}

export function rowProblem(step: RowStep, reason: RowReason, data: Readonly<Record<string, string>> = {}): RowProblem {
  return { step, reason, data };
}

/** Why a row's gate fails, at the step that checked it. */
export function gateProblem(step: RowStep, failure: Failure): RowProblem {
  if (failure.finding?.kind !== 'blocked') return problemOf(step, failure);
  return { step, reason: 'not-ready', data: failure.finding.data, failure };
}

/** Why the authoring system would refuse the write of a step. */
export function obstacleProblem(step: RowStep, obstacle: WriteObstacle): RowProblem {
  return obstacle.kind === 'failed' ? problemOf(step, obstacle.failure) : rowProblem(step, obstacle.reason, obstacle.data);
}

/** The row's site ended, or may have ended, in the environment that it was to move to. */
export function isLeft({ reason }: Pick<RowProblem, 'reason'>): boolean {
  return LEFT.includes(reason);
}

const LEFT: readonly RowReason[] = ['left-moved', 'left-moved-changed', 'left-unknown'] satisfies readonly NotRevertedReason[];
const ENDS = ['unreachable', 'signed-out'] as const satisfies readonly RowReason[];
const PASSING: readonly RowReason[] = [...ENDS, 'not-verified', 'changed-meanwhile', ...LEFT];

/** Why rows that have not started would also fail; undefined if the problem is only this row's. */
export function endOfRun({ reason, after }: RowProblem): (typeof ENDS)[number] | undefined {
  const first = after?.reason ?? reason;
  return ENDS.find((end) => end === first);
}

/** It may pass by itself, so retrying makes sense. For everything else, something must be changed first. */
export function isTransientProblem({ reason, failure }: RowProblem): boolean {
  if (failure?.finding?.kind === 'blocked') return PASSING_BLOCKS.has(failure.finding.reason);
  return PASSING.includes(reason);
}

function reasonOf(failure: Failure): RowReason {
  if (isTransient(failure)) return 'unreachable';
  if (isSignedOut(failure)) return 'signed-out';
  if (failure.finding?.kind === 'changed-meanwhile') return 'changed-meanwhile';
  switch (failure.problem?.code) {
    case 'CONTENT_ROOT_TAKEN':
      return 'content-root-taken';
    case 'NOT_AUTHORIZED':
    case 'WOULD_LOCK_OUT':
      return 'not-authorized';
    case 'PRECONDITION_FAILED':
      return 'changed-meanwhile';
    default:
      if (failure.status === 401) return 'signed-out';
      return failure.status === 403 ? 'not-authorized' : 'refused';
  }
}

/** The parts of a site's body and the cells they come from, longest pointer first. */
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

const LISTS: readonly Cell[] = ['mappings', 'includes', 'excludes'];

const CELL_OF_CODE: Partial<Record<ErrorCode, Cell>> = {
  NAME_INVALID: 'siteName',
  HOST_LABEL_TOO_LONG: 'siteName',
  CONTENT_ADDRESS_MISMATCH: 'siteName',
  CONTENT_ROOT_TAKEN: 'contentRoot',
  SECRET_NOT_ALLOWED: 'code',
  WOULD_LOCK_OUT: 'access',
};

function cellOfPointer(pointer: string): Pick<CellProblem, 'cell' | 'index'> {
  const found = CELLS.find(([prefix]) => pointer === prefix || pointer.startsWith(`${prefix}/`));
  if (found === undefined) return { cell: 'row' };
  const [prefix, cell] = found;
  const index = /^\/(\d+)(\/|$)/.exec(pointer.slice(prefix.length))?.[1];
  return index === undefined || !LISTS.includes(cell) ? { cell } : { cell, index: Number(index) };
}

/** The cells that a refusal of the service is about. */
export function problemsOfFailure(failure: Failure): CellProblem[] {
  const { problem } = failure;
  if (problem === undefined) return [{ cell: 'row', message: { kind: 'failure', failure } }];
  const errors = problem.errors ?? [];
  if (errors.length === 0) {
    const cell = CELL_OF_CODE[problem.code] ?? 'row';
    return [{ cell, message: { kind: 'sentence', sentence: problem.detail, failure } }];
  }
  return errors.map(({ pointer, detail }) => ({ ...cellOfPointer(pointer), message: { kind: 'sentence', sentence: detail, failure } }));
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

export function problemsOfRow(problem: RowProblem): CellProblem[] {
  const { reason, data, failure } = problem;
  if (failure?.problem !== undefined) return problemsOfFailure(failure);
  if (reason === 'name-taken') {
    return [{ cell: 'siteName', message: { kind: 'name-taken', site: data['site'] ?? '', root: data['root'] ?? '' } }];
  }
  return [{ cell: CELL_OF_REASON[reason] ?? 'row', message: { kind: 'problem', problem } }];
}

/** The cells that violate the contract's own schema. */
function problemsOfIssues(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): CellProblem[] {
  return issues.map(({ path, message }) => ({ ...cellOfPointer(jsonPointer(path)), message: { kind: 'sentence', sentence: message } }));
}

/**
 * The problems of each row, by its ID, before anything is sent: violations of the contract's schemas, and values that rows may not share.
 */
export function checkRows(batch: Batch, rows: readonly SiteRow[]): Map<string, CellProblem[]> {
  const twice = problemsBetween(rows);
  return new Map(rows.map((row) => [row.id, [...checkRow(batch, row), ...(twice.get(row.id) ?? [])]]));
}

function checkRow(batch: Batch, row: SiteRow): CellProblem[] {
  const named = nameProblems(batch, row);
  // Errors that an invalid name causes elsewhere in the body add nothing to the name's own error.
  const ofBody = bodyProblems(batch, row).filter(({ cell }) => named.length === 0 || cell !== 'siteName');
  return [...named, ...pathProblems(row), ...ofBody, ...accountProblems(batch, row)];
}

function nameProblems({ organization }: Batch, { siteName }: SiteRow): CellProblem[] {
  const name = SiteName.safeParse(siteName);
  if (!name.success) return problemsOfIssues(name.error.issues).map((problem) => ({ ...problem, cell: 'siteName' }));
  const sentence = hostLabelProblem(DEFAULT_REF, siteName, organization);
  return sentence === undefined ? [] : [{ cell: 'siteName', message: { kind: 'sentence', sentence } }];
}

/** Paths that the authoring proxy does not forward cannot be set from here. */
function pathProblems(row: SiteRow): CellProblem[] {
  return [
    ...prefixProblem('contentRoot', row.contentRoot),
    ...(row.configurationPage === undefined ? [] : prefixProblem('configurationPage', row.configurationPage)),
    ...(row.cloudConfiguration === undefined ? [] : proxyProblem(row.cloudConfiguration)),
  ];
}

function prefixProblem(cell: Cell, path: string): CellProblem[] {
  const parsed = PathPrefix.safeParse(path);
  return (parsed.error?.issues ?? []).map(({ message }) => ({ cell, message: { kind: 'sentence', sentence: message } }));
}

function proxyProblem(path: string): CellProblem[] {
  const parsed = prefixProblem('cloudConfiguration', path);
  if (parsed.length > 0) return parsed;
  const proxied = PROXIED_WRITES.some((pattern) => pattern.test(`${path}/${EDGE_CONFIGURATION}`));
  return proxied ? [] : [{ cell: 'cloudConfiguration', message: { kind: 'not-proxied', value: path } }];
}

/** The body as it would be sent, checked with the service's schema. */
function bodyProblems(batch: Batch, row: SiteRow): CellProblem[] {
  const parsed = SiteInput.safeParse(rowBody(batch, row));
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues);
}

function accountProblems({ environments = [], ...batch }: Batch, row: SiteRow): CellProblem[] {
  const mismatch = accountMismatch(row.technicalAccount, authorOfRow(batch, row), environments);
  return mismatch === undefined ? [] : [{ cell: 'technicalAccount', message: { kind: 'account-mismatch', data: mismatch.data } }];
}

/** Site names, content roots on one author and own configurations must be unique among rows. */
function problemsBetween(rows: readonly SiteRow[]): Map<string, CellProblem[]> {
  const problems = new Map<string, CellProblem[]>();
  const unique: readonly (readonly [Cell, (row: SiteRow) => string | undefined])[] = [
    ['siteName', (row) => row.siteName],
    ['contentRoot', (row) => `${row.author ?? ''}${row.contentRoot.replace(/\/$/, '')}`],
    ['cloudConfiguration', (row) => (row.cloudConfiguration === undefined ? undefined : `${row.author ?? ''}${row.cloudConfiguration}`)],
  ];
  for (const [cell, keyOf] of unique) {
    const first = new Map<string, SiteRow>();
    for (const row of rows) {
      const key = keyOf(row);
      if (key === undefined || key === '') continue;
      const other = first.get(key);
      if (other === undefined) first.set(key, row);
      else problems.set(row.id, [...(problems.get(row.id) ?? []), { cell, message: { kind: 'twice', value: key, other: other.id } }]);
    }
  }
  return problems;
}
