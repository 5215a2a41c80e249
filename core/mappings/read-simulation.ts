import type { PublicPaths } from '@repoless/contract/content-paths.ts';
import type { Site } from '@repoless/contract/site.ts';
import type { AuthoringPort, ServicePort } from '../plan/ports.ts';
import { readAggregate } from '../situation/read-aggregate.ts';
import type { Failure, Known } from '../situation/situation.ts';
import { readMappedPages } from './read-mapped-pages.ts';
import type { ReadMappedPages } from './read-mapped-pages.ts';
import { simulateMappings } from './simulate-mappings.ts';
import type { Simulation } from './simulate-mappings.ts';

/** A registered site, or one to be, and the paths that it is to have. */
export interface IntendedPaths {
  readonly organization: string;
  readonly siteName: string;
  /** As it is stored; absent where there is none. */
  readonly present?: Site | undefined;
  readonly after: PublicPaths;
}

export interface ReadSimulation extends Simulation {
  /** There are more pages than were looked at. */
  readonly isCut: boolean;
  /** Paths below which nothing could be read, and why. */
  readonly failures: ReadonlyMap<string, Failure>;
}

interface SimulationPorts {
  readonly service: Pick<ServicePort, 'stored'>;
  readonly authoring: Pick<AuthoringPort, 'children' | 'content'>;
}

/**
 * Simulates a change of path mappings on the pages that are there; writes nothing. What is in force before may come from a profile. Failed where
 * no page at all could be read.
 */
export async function readSimulation(
  ports: SimulationPorts,
  intended: IntendedPaths,
  options: ReadMappedPages,
): Promise<Known<ReadSimulation>> {
  const { organization, siteName, present, after } = intended;
  const held = present === undefined ? undefined : ((await readAggregate(ports.service, organization, siteName, present)) ?? present);
  const before = held === undefined ? undefined : (held.public?.paths ?? {});
  const { pages, isCut, failures } = await readMappedPages(ports.authoring, [before, after], options);
  const [failure] = failures.values();
  if (pages.length === 0 && failure !== undefined) return { state: 'failed', failure };
  const folders = held?.folders;
  return { state: 'known', value: { ...simulateMappings(pages, { before, after, folders }), isCut, failures } };
}
