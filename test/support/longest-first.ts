import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that take longest where nothing else runs, the longest first. Where one is missing the run ends a little later, no more. */
const LONGEST = [
  'setup/review-is-run',
  'faults/history-of-nodes',
  'http/permission-matrix',
  'command-line/many-sites',
  'http/session-csrf',
  'command-line/administration',
  'setup/blame-others',
  'code/hostile-repositories',
  'code/killed-twice',
  'code/kill',
  'setup/checks',
  'build-management/webhooks',
  'build-management/hostile-trees',
  'command-line/verify-backup',
  'http/damaged-storage',
  'setup/change-existing',
  'setup/new-configuration',
  'setup/blocks',
  'setup/sites-faults',
  'http/fuzz',
  'http/operations',
  'command-line/project',
  'code/github-sync',
  'http/honoured-or-refused',
];

/**
 * The order of the files on a fresh machine, where no earlier run tells how long each takes: browsers first, and the longest of
 * each project first, so that the workers end together. Files of one project follow each other, for they share workers.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((one, other) => projectOf(one) - projectOf(other) || placeOf(one) - placeOf(other));
  }
}

function projectOf({ project }: TestSpecification): number {
  return ['browser', 'dom', 'node'].indexOf(project.name);
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONGEST.length : place;
}
