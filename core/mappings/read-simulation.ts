import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { PublicPaths } from '@repoless/contract/content-paths.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { isTree, readMappings } from '@repoless/contract/mappings.ts';
import { Site } from '@repoless/contract/site.ts';
import { readAggregate } from '../access/read-access.ts';
import type { HistorySubject } from '../history/history-port.ts';
import { desiredSite } from '../plan/desired-site.ts';
import { mapConcurrently } from '../run/retry.ts';
import type { Failure, Known } from '../situation/call.ts';
import type { AuthoringPort, ContentPage, ServicePort } from '../situation/ports.ts';
import { isSpreadsheet } from '../situation/record.ts';
import type { Choices, Situation } from '../situation/situation.ts';
import { type AddressedPage, simulateMappings, type Simulation } from './simulate-mappings.ts';

/** A registered or planned site, and its intended paths. */
export interface IntendedPaths {
  readonly organization: string;
  readonly siteName: string;
  /** As stored; absent if there is none. */
  readonly current?: Site | undefined;
  readonly after: PublicPaths;
}

export interface ReadSimulation extends Simulation {
  /** There are more pages than were read. */
  readonly isTruncated: boolean;
  /** Paths below which nothing could be read, and why. */
  readonly failures: ReadonlyMap<string, Failure>;
}

interface SimulationPorts {
  readonly service: Pick<ServicePort, 'effective'>;
  readonly authoring: Pick<AuthoringPort, 'children' | 'content'>;
}

/**
 * Simulates a change of path mappings on existing pages; writes nothing. The current mappings may come from a profile. Failed if no page at
 * all could be read.
 */
export async function readSimulation(
  ports: SimulationPorts,
  intended: IntendedPaths,
  options: ReadMappedPages,
): Promise<Known<ReadSimulation>> {
  const { organization, siteName, current, after } = intended;
  const complete = current === undefined ? undefined : ((await readAggregate(ports.service, organization, siteName, current)) ?? current);
  const before = complete === undefined ? undefined : (complete.public?.paths ?? {});
  const { pages, isTruncated, failures } = await readMappedPages(ports.authoring, [before, after], options);
  const [failure] = failures.values();
  if (pages.length === 0 && failure !== undefined) return { state: 'failed', failure };
  const folders = complete?.folders;
  return { state: 'known', value: { ...simulateMappings(pages, { before, after, folders }), isTruncated, failures } };
}

/** Limits: pages, reads, depth and concurrency. */
export const MAX_PAGES = 2_000;
const MAX_READS = 4_000;
const DEEPEST = 24;
const AT_ONCE = 8;

interface MappedPages {
  readonly pages: readonly AddressedPage[];
  /** There are more than were read. */
  readonly isTruncated: boolean;
  /** What could not be read, by its parent path. */
  readonly failures: ReadonlyMap<string, Failure>;
}

interface ReadMappedPages {
  readonly signal: AbortSignal;
  onPages?(count: number): void;
}

/**
 * Reads the pages that mappings can lead to: those below the folders that they name, and the single pages. Stops at its limits and reports
 * that; stops when the signal aborts. Takes the site's paths before and after a change.
 */
async function readMappedPages(
  authoring: Pick<AuthoringPort, 'children' | 'content'>,
  paths: readonly (PublicPaths | undefined)[],
  { signal, onPages }: ReadMappedPages,
): Promise<MappedPages> {
  const pages = new Map<string, AddressedPage>();
  const failures = new Map<string, Failure>();
  let [reads, isTruncated] = [0, false];
  const add = ({ path, kind, resourceType }: ContentPage): void => {
    if (kind === 'folder' || pages.has(path)) return;
    if (pages.size >= MAX_PAGES) return void (isTruncated = true);
    pages.set(path, { path, kind: resourceType !== undefined && isSpreadsheet(resourceType) ? 'sheet' : 'page' });
    onPages?.(pages.size);
  };
  const mayRead = (): boolean => {
    if (reads === MAX_READS) isTruncated = true;
    if (!isTruncated) reads += 1;
    return !isTruncated && !signal.aborted;
  };
  const { folders, single } = mappedContent(paths);
  await mapConcurrently([...folders, ...single], AT_ONCE, async (path) => {
    if (!mayRead()) return;
    const read = await authoring.content(path);
    if (read.state === 'known') add(read.value);
    if (read.state === 'failed') failures.set(path, read.failure);
  });
  let open = folders.filter((path) => !failures.has(path));
  for (let depth = 0; open.length > 0 && !signal.aborted && !isTruncated; depth += 1) {
    if (depth === DEEPEST) return { pages: [...pages.values()], isTruncated: true, failures };
    const next: string[] = [];
    await mapConcurrently(open, AT_ONCE, async (path) => {
      if (!mayRead()) return;
      const read = await authoring.children(path, MAX_PAGES + 1 - pages.size);
      if (read.state === 'failed') failures.set(path, read.failure);
      if (read.state !== 'known') return;
      for (const page of read.value) add(page);
      next.push(...read.value.filter((page) => page.hasChildren).map((page) => page.path));
    });
    open = next;
  }
  return { pages: [...pages.values()], isTruncated, failures };
}

/** The content paths of all mappings: folders that no other of them contains, and single pages outside of these. */
function mappedContent(paths: readonly (PublicPaths | undefined)[]): {
  readonly folders: readonly string[];
  readonly single: readonly string[];
} {
  const contents = [...new Set(paths.flatMap((one) => (one === undefined ? [] : contentsOf(one))))].toSorted();
  const folders: string[] = [];
  for (const path of contents) {
    const last = folders.at(-1);
    if (path.endsWith('/') && (last === undefined || !path.startsWith(last))) folders.push(path);
  }
  const single = contents.filter((path) => !path.endsWith('/') && !folders.some((folder) => `${path}/`.startsWith(folder)));
  return { folders: folders.map((path) => path.slice(0, -1)), single };
}

/** A tree with its slash, a page without. If everything is mapped (`/:/`), the included part of it. */
function contentsOf({ mappings = [], includes = ['/content/'] }: PublicPaths): string[] {
  return readMappings(mappings).flatMap((mapping) => {
    if (mapping.content === '/') return includes.map((pattern) => asTree(pattern.replace(/[^/]*\*.*$/s, '')));
    return isTree(mapping) ? asTree(mapping.content) : mapping.content.replace(/\/$/, '');
  });
}

function asTree(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The paths that the plan of a registered site would store; undefined if they are already stored, or the site is not registered. */
export function intendedPaths(situation: Situation, choices: Choices): IntendedPaths | undefined {
  if (situation.site.state !== 'known') return undefined;
  const { config: current } = situation.site.value;
  const after = desiredSite(situation, choices).public.paths ?? {};
  const { organization, siteName } = choices;
  return sameValue(current.public?.paths, after) ? undefined : { organization, siteName, current, after };
}

/** The paths that an undo would restore; undefined if they are already stored, or the undo removes the site. */
export function restoredPaths({ site, undoFacts, settings: { previous } }: Situation): IntendedPaths | undefined {
  const back = undoFacts?.state === 'known' ? undoFacts.value.back : undefined;
  if (previous === undefined || site.state !== 'known' || (back?.kind !== 'restore' && back?.kind !== 'merge')) return undefined;
  const { own: current } = site.value;
  const after = back.document.public?.paths ?? {};
  const same = sameValue(current.public?.paths ?? {}, after);
  return same ? undefined : { organization: previous.org, siteName: previous.site, current, after };
}

/** The future paths of a site, and scheme and host of the author of its pages. */
export interface PathsAfterRestore {
  readonly author: string;
  readonly intended: IntendedPaths;
}

/**
 * The paths that restoring a version would store. Takes the stored documents and the restored ones. Undefined if the paths don't
 * change, the content is from another source, or a profile would decide them.
 */
export function pathsAfterRestore(subject: HistorySubject, before: unknown, after: unknown): PathsAfterRestore | undefined {
  if (subject.kind !== 'site') return undefined;
  const [current, next] = [Site.safeParse(before).data, Site.safeParse(after).data];
  const paths = next?.public?.paths;
  const address = parseDeliveryAddress(current?.content?.source.url ?? '');
  if (current === undefined || paths === undefined || address === undefined) return undefined;
  if (sameValue(current.public?.paths, paths) || !sameValue(current.content?.source.url, next?.content?.source.url)) return undefined;
  return { author: address.author, intended: { organization: subject.organization, siteName: subject.name, current, after: paths } };
}
