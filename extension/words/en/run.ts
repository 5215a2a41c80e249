export const run = {
  enable: 'Enable repoless',
  goOn: 'Go on',
  retry: 'Try again from the failed step',
  stop: 'Stop',
  stopping: 'Stopping after the current step…',
  progress: 'Setting up the site',
  progressUndo: 'Putting back',
  count: (done: number, total: number) => `${done} of ${total}`,
  stepDone: (title: string) => `${title}: done.`,
  stepRunning: (title: string) => `${title}…`,
  stepWaiting: (title: string, attempt: number) => `${title}: not there yet, attempt ${attempt}.`,
  stepFailed: (title: string) => `${title}: failed.`,
  complete: 'The site is set up.',
  completeUndo: 'Everything is as it was before.',
  stopped: 'Stopped. What was done stays done; you can go on at any time.',
  failed: (title: string) => `“${title}” did not succeed`,
  blocked: 'Some steps are blocked. Solve what blocks them, then press “Read again”.',
  invalid: 'Correct the marked fields under “What will be set” first.',
  readAgain: 'Read again',
};

export const outcome = {
  states: { ready: 'Set up', open: 'Not set up yet', part: 'Partly set up', drifted: 'Set up, with differences', blocked: 'Blocked' },
  line: (site: string, organization: string) => `This page is set up for repoless as site “${site}” of “${organization}”.`,
  preview: 'Preview address',
  live: 'Live address',
  copyAddress: (name: string) => `Copy ${name.toLowerCase()}`,
};

export const undo = {
  open: 'Put back…',
  title: 'Put back what was before',
  text: 'These steps restore the values from before, the authoring system first.',
  confirm: 'Put back now',
  cancel: 'Leave everything as it is',
  retry: 'Try again from the failed step',
  nothing: 'There is nothing to put back: no values from before are kept.',
  kept: (by: string, at: string) => `The values from before were kept by ${by} on ${at}.`,
};
