import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { groupConsequences } from '../access/consequences.ts';
import { AT_ONCE, createPace, mapConcurrently, type Pace } from '../run/retry.ts';
import type { Known } from '../situation/call.ts';
import type { AuthoringPort, SetupPorts } from '../situation/ports.ts';
import { type PlannedRow, planRows } from './apply-rows.ts';
import { type Environment, readEnvironment } from './environments.ts';
import { authorOf, rootOnAuthor } from './organization-sites.ts';
import { targetConfiguration, type MovedRow, type MoveQuestion, planMove, rootsOf, staying } from './plan-move.ts';
import { problemsOfRow } from './row-problems.ts';
import { movedPath } from './row-site.ts';
import type { Batch } from './rows.ts';

/** Both environments of a move. `ports` are those of the target environment. */
export interface MovePorts {
  readonly ports: SetupPorts;
  readonly oldAuthoring: AuthoringPort;
}

export interface PlannedMoves {
  readonly batch: Batch;
  readonly planned: readonly PlannedRow[];
}

export interface MoveOptions {
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly chosen: readonly SiteListEntry[];
  readonly signal: AbortSignal;
  readonly concurrency?: number;
  /** The plan is no longer needed: remaining sites are not read. A stopped run still plans them, to report what it left. */
  readonly abandoned?: AbortSignal;
  /** Called twice for each site: when its pages are read, and after the dry run of its write, or when it stays. */
  onHalf?(): void;
}

/**
 * The review of a move: reads each site at both ends and returns its row and plan, with the dry run of its write, as for every row. Changes
 * nothing. A site that has arrived is recognized, so the same move can be repeated.
 */
export async function planMoves({ ports, oldAuthoring }: MovePorts, question: MoveQuestion, options: MoveOptions): Promise<PlannedMoves> {
  const { organization, info, chosen, signal, abandoned, concurrency = AT_ONCE } = options;
  const batch = batchOfMove(question, organization, info);
  const pace = createPace(ports, signal);
  const readOne = async (site: SiteListEntry): Promise<MovedRow> => {
    const read = await moveOf({ ports, oldAuthoring }, pace, question, organization, site);
    options.onHalf?.();
    if (read.problem !== undefined) options.onHalf?.();
    return read;
  };
  const moved = await mapConcurrently(chosen, concurrency, readOne, abandoned);
  const rows = moved.flatMap(({ row, problem }) => (problem === undefined ? [row] : []));
  const planning = { signal, concurrency, ...(abandoned === undefined ? {} : { abandoned }), onPlanned: () => options.onHalf?.() };
  const planned = new Map((await planRows(ports, batch, rows, planning)).map((one) => [one.row.id, one]));
  if (abandoned?.aborted === true) return { batch, planned: [] };
  return { batch, planned: moved.map((one) => planned.get(one.row.id) ?? refused(one)) };
}

/** What the rows of a move have in common: only values of the environment are replaced. */
export function batchOfMove({ from, to }: MoveQuestion, organization: string, info: ServiceInfo): Batch {
  return { organization, author: to.author, code: {}, access: {}, info, further: 'keep', environments: [from, to] };
}

/** What a move does to people and visitors, except its purpose: other content is shown, and the old environment's account is removed. */
export function consequencesOfMove({ planned }: Pick<PlannedMoves, 'planned'>, { from }: Pick<MoveQuestion, 'from'>): ConsequenceOfSites[] {
  const isPurpose = ({ what }: ConsequenceOfSites) =>
    what.kind === 'content-replaced' || (what.kind === 'account-removed' && what.account === from.technicalAccount);
  return groupConsequences(planned.flatMap(({ consequences }) => consequences).filter((one) => !isPurpose(one)));
}

/** Both environments with their technical accounts, if one of the sites there shows it. */
export async function readEnds(
  { ports, oldAuthoring }: MovePorts,
  { from, to, sites, paths }: MoveEnds,
  { chosen, info }: Pick<MoveOptions, 'chosen' | 'info'>,
): Promise<Pick<MoveQuestion, 'from' | 'to'>> {
  const read = async (authoring: AuthoringPort, author: string): Promise<Environment> => {
    const known = await readEnvironmentAt(authoring, author, pagesOf({ sites, paths }, author, chosen), info);
    return known.state === 'known' ? known.value : { author };
  };
  const [there, here] = await Promise.all([read(ports.authoring, to), read(oldAuthoring, from)]);
  return { from: here, to: there };
}

/** Scheme and host of both authors, and what is needed to find pages there. */
export interface MoveEnds extends Pick<MoveQuestion, 'sites' | 'paths'> {
  readonly from: string;
  readonly to: string;
}

/**
 * An environment with its technical account, which any page with a configured site shows. Takes candidate pages, likeliest first; missing
 * if none exists.
 */
async function readEnvironmentAt(
  authoring: AuthoringPort,
  author: string,
  pages: readonly string[],
  info: ServiceInfo,
): Promise<Known<Environment>> {
  let answer: Known<Environment> = { state: 'missing' };
  for (const page of pages.slice(0, PAGES_READ)) {
    const read = await readEnvironment(authoring, page, info);
    if (read.state === 'known' && read.value.technicalAccount !== undefined) return { state: 'known', value: { ...read.value, author } };
    if (answer.state !== 'known') answer = read.state === 'known' ? { state: 'known', value: { author } } : read;
  }
  return answer;
}

/** Content roots of an environment: those of its sites, then those of the sites that move there. */
function pagesOf({ sites, paths }: Pick<MoveQuestion, 'sites' | 'paths'>, author: string, chosen: readonly SiteListEntry[]): string[] {
  const current = sites.flatMap((site) => rootOnAuthor(site, author) ?? []);
  const coming = chosen.flatMap((site) => (authorOf(site) === author ? [] : (contentRoot(site.public?.paths?.mappings ?? []) ?? [])));
  return [...current, ...coming.map((root) => movedPath(root, paths))];
}

/** Each takes several requests; if so many show no account, further ones won't. */
const PAGES_READ = 10;

async function moveOf(
  { ports, oldAuthoring: here }: MovePorts,
  pace: Pace,
  question: MoveQuestion,
  organization: string,
  site: SiteListEntry,
): Promise<MovedRow> {
  const roots = rootsOf(question, site);
  if (roots === undefined) return staying(question, site);
  const { authoring: there } = ports;
  const paced = <T>(work: () => Promise<Known<T>>) => pace.call(work);
  const [page, oldPage, publishers] = await Promise.all([
    paced(() => there.content(roots.to)),
    paced(() => here.content(roots.from)),
    paced(() => inheritedPublishers(ports.service, organization, site.name)),
  ]);
  const before = oldPage.state === 'known' ? oldPage.value.ownConfiguration : undefined;
  const conf = targetConfiguration(page, oldPage, roots.to);
  const [edge, oldEdge] = await Promise.all([
    paced(() => there.edgeConfiguration(conf)),
    before === undefined ? ({ state: 'missing' } as const) : paced(() => here.edgeConfiguration(before)),
  ]);
  return planMove(question, site, { page, edge, oldPage, oldEdge, publishers });
}

async function inheritedPublishers(
  service: SetupPorts['service'],
  organization: string,
  siteName: string,
): Promise<Known<readonly string[]>> {
  const own = await service.configuration(organization, siteName);
  if (own.state !== 'known') return own;
  if (own.value.config.access?.admin?.role?.config_admin !== undefined) return { state: 'missing' };
  const effective = await service.effective(organization, siteName);
  if (effective.state !== 'known') return effective;
  const publishers = effective.value.access?.admin?.role?.config_admin;
  return publishers === undefined ? { state: 'missing' } : { state: 'known', value: publishers };
}

function refused({ row, problem }: MovedRow): PlannedRow {
  if (problem === undefined) throw new TypeError('Every row without a problem is planned.');
  return { row, plan: { kind: 'blocked', problem }, problems: problemsOfRow(problem), consequences: [] };
}
