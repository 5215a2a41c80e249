import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COSTLY_FILES } from './costly-files.ts';

/** Other long-running files, the longest first. If one is missing, the run only ends a little later. */
const LONGEST = [
  'journeys/sites.test.ts',
  'journeys/enable.test.ts',
  'journeys/sync-status.test.ts',
  'views/page-properties.test.tsx',
  'views/sync-status.test.tsx',
  'http/permission-matrix.test.ts',
  'setup/blame-others.test.ts',
  'http/session-csrf.test.ts',
  'build-management/end-to-end.test.ts',
  'setup/blocks.test.ts',
  'setup/enable.test.ts',
  'setup/sites.test.ts',
  'storage/profiles.test.ts',
  'build-management/one-click.test.ts',
  'setup/checks.test.ts',
  'code/blob-places.test.ts',
];

/** Files that mostly wait: for a delay of the service, a deadline, a pause. Two of them at once leave a processor idle. */
const WAITING = [
  'http/event-deliveries.test.ts',
  'http/nodes.test.ts',
  'http/addresses.test.ts',
  'http/strangers.test.ts',
  'code/limits.test.ts',
  'command-line/unfinished-work.test.ts',
  'code/branches.test.ts',
  'http/event-mail.test.ts',
  'storage/confirmed-writes.test.ts',
  'code/fair-share.test.ts',
  'build-management/storage.test.ts',
];
/** The number of other files started between two of them. */
const BETWEEN = 8;

const IN_ORDER = [...COSTLY_FILES, ...LONGEST];

/**
 * The order of the files on a fresh machine, without the durations of an earlier run: browsers first, and the longest of
 * each project first, so that the workers end together. Files of one project follow each other, for they share workers.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return apart(others.toSorted((one, other) => projectOf(one) - projectOf(other) || ownerKey(one) - ownerKey(other)));
  }
}

/** Spreads the waiting files out, from the first file of their project on. */
function apart(files: readonly TestSpecification[]): TestSpecification[] {
  const waiting = WAITING.flatMap((name) => files.filter((file) => isNamed(file, name)));
  const others = files.filter((file) => !waiting.includes(file));
  const before = others.filter(({ project }) => project.name !== 'node');
  const rest = others.slice(before.length).flatMap((file, at) => {
    const between = at % BETWEEN === 0 ? waiting.slice(at / BETWEEN, at / BETWEEN + 1) : [];
    return [...between, file];
  });
  return [...before, ...rest, ...waiting.filter((file) => !rest.includes(file))];
}

function projectOf({ project }: TestSpecification): number {
  return ['browser', 'dom', 'node'].indexOf(project.name);
}

function ownerKey(file: TestSpecification): number {
  const rank = IN_ORDER.findIndex((name) => isNamed(file, name));
  return rank < 0 ? IN_ORDER.length : rank;
}

function isNamed({ moduleId }: TestSpecification, name: string): boolean {
  return moduleId.endsWith(`/test/${name}`);
}
