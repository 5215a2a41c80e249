import type { RowStatus, RowStep } from '#extension/setup/sites/rows.ts';

/** Messages of a run over many sites. */
export const applyRows = {
  title: 'Set up the sites',
  progress: 'Setting up the sites',
  count: (done: number, failed: number, total: number) => `${done} of ${total} done${failed === 0 ? '' : `, ${failed} failed`}`,
  timeLeft: (seconds: number) => (seconds < 60 ? `about ${Math.max(1, seconds)} s left` : `about ${Math.ceil(seconds / 60)} min left`),
  paused: (seconds: number) => `Waiting ${seconds} s, as the service requested.`,
  stop: 'Stop',
  stopping: 'Stopping after the sites in progress…',
  preparing: 'Reading the current state…',
  ended: {
    complete: (count: number, unchanged: number) =>
      `${count === 1 ? 'The site is set up.' : `All ${count} sites are set up.`}${unchanged === 0 ? '' : ` ${unchanged} needed no change.`}`,
    failed: (failed: number, done: number) => `${failed === 1 ? '1 site' : `${failed} sites`} failed; ${done} are set up.`,
    stopped: (done: number, left: number) => `Stopped. ${done} are set up, ${left} remain.`,
    unreachable: (done: number, left: number) =>
      `The service or the authoring system no longer responds. ${done} are set up, ${left} remain.`,
    signedOut: (done: number, left: number) => `Your sign-in has ended. ${done} are set up, ${left} remain.`,
  },
  retry: (count: number) => (count === 1 ? 'Try 1 site again' : `Try ${count} sites again`),
  goOn: (count: number) => `Continue with ${count} remaining`,
  signInAndGoOn: (count: number) => `Sign in and continue with ${count} remaining`,
  correct: (count: number) => (count === 1 ? 'Review 1 site' : `Review ${count} sites`),
  toTree: 'Back to the tree',
  label: 'Result for each site',
  columns: { site: 'Site', state: 'State', detail: 'Detail' },
  states: {
    waiting: 'Waiting',
    running: 'In progress',
    done: 'Done',
    failed: 'Failed',
    stopped: 'Not started',
  } satisfies Record<RowStatus['state'], string>,
  partway: 'Stopped partway',
  outcomes: { created: 'Created', changed: 'Changed', unchanged: 'Nothing to change' },
  steps: {
    read: 'Reading',
    repository: 'Checking the repository',
    'configuration-page': 'Creating the configuration page',
    'register-site': 'Registering the site',
    code: 'Syncing the code',
    verify: 'Verifying both hosts',
    'cloud-configuration': 'Setting its own cloud configuration',
    switch: 'Disabling the inherited configuration',
    pages: 'Checking its pages on the preview host',
  } satisfies Record<RowStep, string>,
  attempt: (step: string, attempt: number) => `${step}, attempt ${attempt}`,
  csv: 'Results as CSV',
  script: 'The requests as a shell script',
  downloadCsv: 'Download CSV',
  downloadScript: 'Download script',
  scriptText: 'Set your tokens as environment variables. The script contains none.',
  noCalls: 'No changes were needed.',
  kept: {
    title: 'Unfinished run',
    text: (count: number, base: string, time: string) =>
      `Setup of ${count === 1 ? '1 site' : `${count} sites`} for the base site “${base}” started on ${time} and may not be finished. Completed steps are not repeated.`,
    goOn: (count: number) => (count === 1 ? 'Continue with 1 site' : `Continue with ${count} sites`),
    review: 'Review first',
    discard: 'Discard',
  },
};
