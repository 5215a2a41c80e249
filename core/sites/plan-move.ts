import { defined } from '@repoless/contract/json.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { configurationPage, contentRoot } from '@repoless/contract/mappings.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { firstFailure, type Known } from '../situation/call.ts';
import { ownConfigurationPath } from '../situation/edge-configuration.ts';
import type { ContentPage } from '../situation/ports.ts';
import { accountMismatch, type Environment } from './environments.ts';
import { authorOf, rootOnAuthor } from './organization-sites.ts';
import { problemOf, rowProblem } from './row-problems.ts';
import { movedMappings, movedPath } from './row-site.ts';
import type { PathChange, RowMove, RowProblem, SiteRow } from './rows.ts';

/** Sites that will get their content from another author, and everything that belongs to it. */
export interface MoveQuestion {
  readonly from: Environment;
  readonly to: Environment;
  /** Replaces the technical account that the new environment shows; required if it shows none. */
  readonly account?: string;
  /** Differences between content roots; a root that none of them matches stays the same. */
  readonly paths: readonly PathChange[];
  /** The technical account of the old environment keeps its access to the sites. */
  readonly keepsAccount?: boolean;
  readonly sites: readonly SiteListEntry[];
}

export interface MovedPages {
  /** Its content root at the new author, and the Edge Delivery configuration that will be its own there. */
  readonly page: Known<ContentPage>;
  readonly edge: Known<EdgeConfiguration>;
  /** The same at the old author, if that still answers. */
  readonly oldPage: Known<ContentPage>;
  readonly oldEdge: Known<EdgeConfiguration>;
  /** The accounts that may publish through the site's profile; missing if the site has its own list, or no profile. */
  readonly publishers: Known<readonly string[]>;
}

/** A site of the move as a row of setup; with a `problem`, it stays, and nothing is written for it. */
export interface MovedRow {
  readonly row: SiteRow;
  readonly problem?: RowProblem;
}

/** The location of a site in a move: its current content root, and the one at the new author. Undefined if it is in neither environment. */
export function rootsOf({ from, to, paths }: MoveQuestion, site: SiteListEntry) {
  const arrived = rootOnAuthor(site, to.author);
  if (arrived !== undefined) return { from: arrived, to: arrived };
  const root = rootOnAuthor(site, from.author);
  return root === undefined ? undefined : { from: root, to: movedPath(root, paths) };
}

/**
 * The path of a site's own cloud configuration at the new author: the page's own, otherwise the one it had, otherwise one named after its
 * path.
 */
export function targetConfiguration(page: Known<ContentPage>, oldPage: Known<ContentPage>, root: string): string {
  const own = page.state === 'known' ? page.value.ownConfiguration : undefined;
  const before = oldPage.state === 'known' ? oldPage.value.ownConfiguration : undefined;
  return own ?? before ?? ownConfigurationPath({ path: root, cloudConfiguration: { source: { kind: 'missing' } } });
}

/**
 * The row of a site that moves, or why it stays. Pure. Further refusals of the service are found by the row's dry run
 * (planRows), as for every row.
 */
export function planMove(question: MoveQuestion, site: SiteListEntry, read: MovedPages): MovedRow {
  const roots = rootsOf(question, site);
  if (roots === undefined) return staying(question, site);
  const row = rowOf(question, site, roots, read);
  const problem = problemOfMove(question, row, read);
  return problem === undefined ? { row } : { row, problem };
}

export function targetAccount({ account, to }: Pick<MoveQuestion, 'account' | 'to'>): string {
  return account ?? to.technicalAccount ?? '';
}

export function staying(question: MoveQuestion, site: SiteListEntry): MovedRow {
  const root = contentRoot(site.public?.paths?.mappings ?? []) ?? '';
  const row = { ...named(site.name), contentRoot: root, technicalAccount: targetAccount(question) };
  const current = `${authorOf(site) ?? site.content?.source.url ?? ''}${root}`;
  return { row, problem: rowProblem('read', 'content-elsewhere', { site: site.name, root: current }) };
}

function named(siteName: string): Pick<SiteRow, 'id' | 'siteName' | 'mappings'> {
  return { id: siteName, siteName, mappings: [] };
}

function rowOf(
  question: MoveQuestion,
  site: SiteListEntry,
  roots: { readonly from: string; readonly to: string },
  read: MovedPages,
): SiteRow {
  const { from, paths, keepsAccount } = question;
  const current = site.public?.paths ?? {};
  const changes = authorOf(site) === from.author ? paths : [];
  const mappings = movedMappings(current.mappings ?? [], changes);
  const sheet = configurationPage(mappings);
  const account = keepsAccount === true ? undefined : from.technicalAccount;
  const configuration = withoutToken(read.oldEdge);
  const move: RowMove = {
    from: from.author,
    root: roots.from,
    paths,
    ...defined({ account, configuration }),
    ...(read.publishers.state === 'known' ? { publishers: read.publishers.value } : {}),
  };
  return {
    id: site.name,
    siteName: site.name,
    contentRoot: roots.to,
    mappings,
    cloudConfiguration: targetConfiguration(read.page, read.oldPage, roots.to),
    technicalAccount: targetAccount(question),
    move,
    ...(current.includes === undefined ? {} : { includes: current.includes.map((path) => movedPath(path, changes)) }),
    ...defined({ configurationPage: sheet, code: site.code }),
  };
}

function problemOfMove({ from, to, sites }: MoveQuestion, row: SiteRow, { page, edge, publishers }: MovedPages): RowProblem | undefined {
  const failure = firstFailure(page, edge, publishers);
  if (failure !== undefined) return problemOf('read', failure);
  if (page.state !== 'known') return rowProblem('read', 'page-not-there', { page: row.contentRoot, author: to.author });
  const other = sites.find((one) => one.name !== row.siteName && rootOnAuthor(one, to.author) === row.contentRoot);
  if (other !== undefined) return rowProblem('read', 'content-root-taken', { site: other.name });
  // Both show it if a configuration was copied between them: publishing would fail.
  const account = accountMismatch(row.technicalAccount, to.author, [from]);
  if (account !== undefined) return rowProblem('read', 'account-mismatch', account.data);
  return configurationProblem(row, page.value, edge, sites);
}

/** A configuration that names another site is accepted only from a page that selects it itself, and only if there is no such site. */
function configurationProblem(
  row: SiteRow,
  page: ContentPage,
  edge: Known<EdgeConfiguration>,
  sites: readonly SiteListEntry[],
): RowProblem | undefined {
  const names = edge.state === 'known' ? edge.value.repo : undefined;
  if (names === undefined || names === '' || names === row.siteName) return undefined;
  const isOwn = page.ownConfiguration === row.cloudConfiguration;
  if (isOwn && !sites.some(({ name }) => name === names)) return undefined;
  return rowProblem('cloud-configuration', 'configuration-taken', { configuration: row.cloudConfiguration ?? '', site: names });
}

function withoutToken(edge: Known<EdgeConfiguration>): EdgeConfiguration | undefined {
  if (edge.state !== 'known') return undefined;
  const { siteAuthToken: _token, ...rest } = edge.value;
  return rest;
}
