import type { StepId } from '#extension/setup/plan.ts';

/** A step's title, and why it is there. */
export interface StepWords {
  readonly title: string;
  readonly why: string;
}

export const plan = {
  title: 'What will be done',
  doneTitle: 'What was done',
  undoTitle: 'What will be put back',
  complete: 'Everything is done already.',
  doneSteps: (count: number) => `${count} steps, all done`,
  summary: (done: number, open: number) => `${done} done, ${open} to do`,
  states: {
    done: 'Done already',
    create: 'Will create',
    change: 'Will change',
    verify: 'Will verify',
    blocked: 'Blocked',
    running: 'Being done',
    waiting: (attempt: number) => `Waiting, attempt ${attempt}`,
    finished: 'Done',
    failed: 'Failed',
  },
  call: 'Show the exact call',
  request: 'Request',
  curl: 'As curl',
  copyCurl: 'Copy as curl',
  sharedCall: (title: string) => `Made together with “${title}”.`,
  before: 'Before',
  after: 'After',
  nothing: 'nothing',
  changes: 'Changes',
  whoCanHelp: 'Who can help',
  reading: 'Reading again…',
};

export const steps: Record<StepId, StepWords> = {
  'sign-in': { title: 'Sign in', why: 'The configuration service must know who you are.' },
  'claim-organization': {
    title: 'Claim the organization',
    why: 'Only the owner of the organization on the code host may have sites in it.',
  },
  'keep-previous': { title: 'Keep the present values', why: 'So that everything can be put back from this panel.' },
  'configuration-page': {
    title: 'Create the configuration page',
    why: 'Its rows become the site’s public configuration. It may stay empty.',
  },
  'register-site': { title: 'Register the site', why: 'Tells the service where the code and the content of this site are.' },
  'store-secret': {
    title: 'Store the secret of the external repository',
    why: 'The service reads the code with it; all sites on this repository share it.',
  },
  'map-paths': { title: 'Map the paths', why: 'Turns content paths into the addresses that visitors see.' },
  'set-access': {
    title: 'Give access',
    why: 'Administrators may change the site; the technical account may publish its pages.',
  },
  'verify-preview': { title: 'Verify the preview host', why: 'The site’s configuration must be readable before anything is switched.' },
  'verify-live': { title: 'Verify the live host', why: 'The same for the host that visitors use.' },
  'cloud-configuration': {
    title: 'Set organization and site name in the authoring system',
    why: 'So that pages are published to this site.',
  },
  'project-type': {
    title: 'Switch the project type to repoless',
    why: 'Last of all: switched earlier, the editor would show a white page.',
  },
};

/** The same steps, seen from the way back. */
export const undoSteps: Record<StepId, StepWords> = {
  'sign-in': steps['sign-in'],
  'claim-organization': { title: 'Leave the organization as it is', why: 'Other sites may be in it.' },
  'keep-previous': { title: 'Forget the kept values', why: 'Last of all: until then, putting back can be continued.' },
  'configuration-page': { title: 'Remove the configuration page', why: 'Only where this panel created it.' },
  'register-site': { title: 'Put the site’s configuration back', why: 'The version from before, or no site where there was none.' },
  'store-secret': { title: 'Leave the secret as it is', why: 'It goes with the site where the site is removed.' },
  'map-paths': { title: 'Put the path mapping back', why: 'It is part of the site’s configuration.' },
  'set-access': { title: 'Put the access back', why: 'It is part of the site’s configuration.' },
  'verify-preview': { title: 'Verify the preview host', why: 'It must answer as it did before.' },
  'verify-live': { title: 'Verify the live host', why: 'The same for the host that visitors use.' },
  'cloud-configuration': {
    title: 'Put organization and site name back in the authoring system',
    why: 'So that pages are published where they were before.',
  },
  'project-type': { title: 'Switch the project type back', why: 'First of all, so that the editor never misses a configuration.' },
};
