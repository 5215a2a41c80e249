import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** Files that take longest where nothing else runs, the longest first. Where one is missing the run ends a little later, no more. */
const LONGEST = [
  'journeys/simulated-faults',
  'journeys/sites-many',
  'journeys/sites',
  'journeys/inert-strings',
  'journeys/states',
  'journeys/layout',
  'journeys/access',
  'journeys/enable-states',
  'journeys/enable-after-kill',
  'journeys/renew-session',
  'journeys/enable-troubles',
  'journeys/enable-sign-in',
  'journeys/frame',
  'browser/console',
  'journeys/enable',
  'journeys/enable-by-keyboard',
  'journeys/outcome-in-view',
  'journeys/history',
  'views/page-properties',
  'views/move-sites',
  'views/access',
  'views/remove-sites',
  'views/shell',
  'views/while-saving',
  'views/simulate-mappings',
  'views/configuration',
  'views/sites',
  'http/permission-matrix',
  'setup/sites-many',
  'code/code-store',
  'http/strangers',
  'setup/sites-faults',
  'http/overload',
  'http/operations',
  'setup/checks',
  'setup/new-configuration',
  'http/deaf-nodes',
  'setup/go-live',
  'http/aliases',
  'command-line/project',
  'http/fuzz',
  'command-line/administration',
  'sandbox/start',
  'faults/hostile-documents',
  'faults/hostile-pages',
  'http/list-limits',
  'code/damaged-mirror',
  'http/session-csrf',
  'setup/review-is-run',
  'setup/enable',
  'code/sync-deadlines',
  'code/blob-places',
  'build-management/end-to-end',
  'code/kill',
  'build-management/onboarding',
  'command-line/what-is-not-done',
  'faults/history-of-nodes',
  'command-line/verify-backup',
  'storage/confirmed-writes',
  'code/killed-twice',
  'code/fair-share',
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
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`) || moduleId.endsWith(`/test/${name}.test.tsx`));
  return place < 0 ? LONGEST.length : place;
}
