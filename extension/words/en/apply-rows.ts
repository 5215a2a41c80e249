import type { RowStatus, RowStep } from '#extension/setup/sites/rows.ts';

/** Words of a run over many sites. */
export const applyRows = {
  title: 'Set up the sites',
  progress: 'Setting up the sites',
  count: (done: number, failed: number, total: number) => `${done} of ${total} done${failed === 0 ? '' : `, ${failed} failed`}`,
  timeLeft: (seconds: number) => (seconds < 60 ? `about ${Math.max(1, seconds)} s left` : `about ${Math.ceil(seconds / 60)} min left`),
  paused: (seconds: number) => `The service asked to wait ${seconds} s.`,
  stop: 'Stop',
  stopping: 'Stopping: what is under way comes to its end…',
  preparing: 'Reading what is there already…',
  ended: {
    complete: (count: number, unchanged: number) =>
      `${count === 1 ? 'The site is set up.' : `All ${count} sites are set up.`}${unchanged === 0 ? '' : ` ${unchanged} needed no change.`}`,
    failed: (failed: number, done: number) =>
      `${failed === 1 ? '1 site' : `${failed} sites`} did not succeed; ${done} are set up and stay so.`,
    stopped: (done: number, left: number) => `Stopped. ${done} are set up and stay so, ${left} are left.`,
    unreachable: (done: number, left: number) =>
      `The service or the authoring system does not answer any more. ${done} are set up and stay so, ${left} are left.`,
  },
  retry: (count: number) => (count === 1 ? 'Try the failed site again' : `Try the ${count} failed sites again`),
  goOn: (count: number) => `Go on with ${count} left`,
  correct: 'Correct the sites that are left',
  toTree: 'Back to the tree',
  label: 'What became of each site',
  columns: { site: 'Site', state: 'State', detail: 'Detail' },
  states: {
    waiting: 'Waiting',
    running: 'Under way',
    done: 'Done',
    failed: 'Failed',
    stopped: 'Not begun',
  } satisfies Record<RowStatus['state'], string>,
  outcomes: { created: 'Made', changed: 'Changed', unchanged: 'Nothing to change' },
  steps: {
    read: 'Reading',
    'configuration-page': 'Making the configuration page',
    'register-site': 'Registering the site',
    verify: 'Verifying both hosts',
    'cloud-configuration': 'Setting its own cloud configuration',
    switch: 'Switching off the inherited one',
  } satisfies Record<RowStep, string>,
  attempt: (step: string, attempt: number) => `${step}, attempt ${attempt}`,
  csv: 'Results as CSV',
  script: 'The calls as a shell script',
  downloadCsv: 'Download CSV',
  downloadScript: 'Download script',
  scriptText: 'It asks for tokens by variables; none is written in it.',
  noCalls: 'Nothing had to be written.',
  kept: {
    title: 'A run was not finished',
    text: (count: number, base: string, time: string) =>
      `${count === 1 ? '1 site' : `${count} sites`} for the base site “${base}” were begun on ${time} and are not known to be done. What is done is recognised and not done twice.`,
    goOn: (count: number) => (count === 1 ? 'Go on with 1 site' : `Go on with ${count} sites`),
    review: 'Look at them first',
    discard: 'Forget them',
  },
};
