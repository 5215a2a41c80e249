import type { JobProblemKind } from '#extension/setup/sync/job-problem.ts';

/** The syncs of a branch that are over. */
export const syncHistory = {
  title: (count: number) => (count === 1 ? 'Sync history (1 sync)' : `Sync history (${count} syncs)`),
  list: (branch: string) => `Syncs of ${branch}`,
  kept: 'The service keeps the latest 20 syncs of a branch.',
  states: { underWay: 'In progress', done: 'Finished', failed: 'Failed' },
  durations: 'How long syncs took',
  /** In: how many, and durations in words. */
  trend: (count: number, shortest: string, longest: string, latest: string) =>
    `${count} syncs: shortest ${shortest}, longest ${longest}, latest ${latest}`,
  took: (duration: string) => `took ${duration}`,
  failures: 'Failures by reason',
  times: (count: number) => (count === 1 ? 'once' : `${count} times`),
  last: 'Last:',
  reasons: {
    'secret-refused': 'The secret was refused',
    'not-readable': 'The repository is not readable',
    'repository-missing': 'The repository does not exist',
    'branch-missing': 'The branch does not exist',
    'rate-limited': 'Too many requests',
    outage: 'The code source did not respond',
    'too-large': 'The code is too large',
    interrupted: 'The service was restarted',
    'address-refused': 'The address is not allowed',
    other: 'Other reasons',
  } satisfies Record<JobProblemKind, string>,
  details: 'Details',
  detailsOf: (when: string) => `Details of the sync of ${when}`,
  reading: 'Reading the sync…',
  missing: { sentence: 'The service no longer keeps this sync.' },
  stopped: 'Somebody stopped it.',
  files: 'Changed files',
  noFiles: 'No file changed.',
  changes: { added: 'added', modified: 'changed', deleted: 'deleted' },
  more: (count: number) => (count === 1 ? 'and 1 more file' : `and ${count} more files`),
  truncated: 'There were more files. Only the first ones are listed.',
  copyCommit: 'Copy the address of the commit',
};
