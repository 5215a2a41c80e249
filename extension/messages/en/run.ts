export const run = {
  goOn: 'Continue',
  retry: 'Try again from the failed step',
  stop: 'Stop',
  stopping: 'Stopping after the current step…',
  progress: 'Setting up the site',
  progressUndo: 'Undoing the setup',
  count: (done: number, total: number) => `${done} of ${total}`,
  stepDone: (title: string) => `${title}: done.`,
  stepRunning: (title: string) => `${title}…`,
  stepWaiting: (title: string, attempt: number, why: string) => `${title}: waiting, attempt ${attempt}.${why === '' ? '' : ` ${why}`}`,
  stepFollowing: (title: string, phase: string) => `${title}: ${phase}`,
  stepFailed: (title: string) => `${title}: failed.`,
  complete: 'The site is set up.',
  completeUndo: 'Everything is as it was before.',
  stopped: 'Stopped. Completed steps are kept. You can continue at any time.',
  failed: (title: string) => `“${title}” failed`,
  planChanged: 'The plan has changed',
  blocked: 'Some steps are blocked. Resolve the cause, then press “Refresh”.',
  invalid: 'First correct the highlighted fields under “New settings”.',
  showField: (label: string) => `Go to “${label}”`,
  readAgain: 'Refresh',
};

export const outcome = {
  unread: 'Not refreshed yet',
  line: (site: string, organization: string) => `This page is set up for repoless as site “${site}” of “${organization}”.`,
  /** Every step is done, and still not all is well. */
  but: {
    differs: (site: string) => `The settings of the site “${site}” have changed since it was set up.`,
    faulty: (site: string, wrong: number) =>
      `Every step for the site “${site}” is done, but ${wrong === 1 ? '1 check fails' : `${wrong} checks fail`}. See “Health”.`,
    unverified: (site: string) => `Every step for the site “${site}” is done, but not everything could be verified yet. See “Health”.`,
  },
  preview: 'Preview address',
  live: 'Live address',
  copyAddress: (name: string) => `Copy ${name.toLowerCase()}`,
};
