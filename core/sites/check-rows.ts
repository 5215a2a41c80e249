import { EDGE_CONFIGURATION, PROXIED_WRITES } from '@repoless/contract/authoring.ts';
import { PathPrefix } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, SiteName, hostLabelProblem } from '@repoless/contract/names.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { problemsOfIssues } from './cell-problems.ts';
import { accountMismatch } from './environments.ts';
import { authorOfRow, rowBody } from './row-site.ts';
import type { Batch, Cell, CellProblem, SiteRow } from './rows.ts';

/** What is wrong with each row, by its id, before anything is sent: the contract's schemas, and what rows may not share. */
export function checkRows(batch: Batch, rows: readonly SiteRow[]): Map<string, CellProblem[]> {
  const twice = problemsBetween(rows);
  return new Map(rows.map((row) => [row.id, [...checkRow(batch, row), ...(twice.get(row.id) ?? [])]]));
}

/** What is wrong with one row by itself. */
export function checkRow(batch: Batch, row: SiteRow): CellProblem[] {
  return [...nameProblems(batch, row), ...pathProblems(row), ...bodyProblems(batch, row), ...accountProblems(batch, row)];
}

function nameProblems({ organization }: Batch, { siteName }: SiteRow): CellProblem[] {
  const name = SiteName.safeParse(siteName);
  if (!name.success) return problemsOfIssues(name.error.issues).map((problem) => ({ ...problem, cell: 'siteName' }));
  const sentence = hostLabelProblem(DEFAULT_REF, siteName, organization);
  return sentence === undefined ? [] : [{ cell: 'siteName', says: { kind: 'sentence', sentence } }];
}

/** Paths that the authoring proxy would not pass on cannot be set from here. */
function pathProblems(row: SiteRow): CellProblem[] {
  return [
    ...prefixProblem('contentRoot', row.contentRoot),
    ...(row.configurationPage === undefined ? [] : prefixProblem('configurationPage', row.configurationPage)),
    ...(row.cloudConfiguration === undefined ? [] : proxyProblem(row.cloudConfiguration)),
  ];
}

function prefixProblem(cell: Cell, path: string): CellProblem[] {
  const parsed = PathPrefix.safeParse(path);
  return (parsed.error?.issues ?? []).map(({ message }) => ({ cell, says: { kind: 'sentence', sentence: message } }));
}

function proxyProblem(path: string): CellProblem[] {
  const parsed = prefixProblem('cloudConfiguration', path);
  if (parsed.length > 0) return parsed;
  const proxied = PROXIED_WRITES.some((pattern) => pattern.test(`${path}/${EDGE_CONFIGURATION}`));
  return proxied ? [] : [{ cell: 'cloudConfiguration', says: { kind: 'not-proxied', value: path } }];
}

/** The body as it would be sent, by the schema that the service checks it with. */
function bodyProblems(batch: Batch, row: SiteRow): CellProblem[] {
  const parsed = SiteInput.safeParse(rowBody(batch, row));
  return parsed.success ? [] : problemsOfIssues(parsed.error.issues);
}

function accountProblems({ environments = [], ...batch }: Batch, row: SiteRow): CellProblem[] {
  const mismatch = accountMismatch(row.technicalAccount, authorOfRow(batch, row), environments);
  return mismatch === undefined ? [] : [{ cell: 'technicalAccount', says: { kind: 'account-mismatch', data: mismatch.data } }];
}

/** Site names, content roots on one author and own configurations are each one row's alone. */
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
      else problems.set(row.id, [...(problems.get(row.id) ?? []), { cell, says: { kind: 'twice', value: key, other: other.id } }]);
    }
  }
  return problems;
}
