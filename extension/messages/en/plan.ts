import type { JobPhase } from '#contract/job.ts';
import type { StepId } from '#extension/setup/plan.ts';

/** A step's title, and why it is there. */
export interface StepMessages {
  readonly title: string;
  readonly why: string;
}

export const plan = {
  title: 'Planned steps',
  doneTitle: 'Completed steps',
  undoTitle: 'Steps that undo the setup',
  complete: 'All steps are already done.',
  untried: 'This configuration service doesn’t support test runs. It may still refuse a step while the plan runs.',
  doneSteps: (count: number) => (count === 1 ? '1 step done' : `${count} steps done`),
  summary: (done: number, open: number) => `${done} done, ${open} to do`,
  states: {
    done: 'Already done',
    create: 'Will create',
    change: 'Will change',
    verify: 'Will verify',
    sync: 'Will sync',
    blocked: 'Blocked',
    running: 'In progress',
    waiting: (attempt: number) => `Waiting, attempt ${attempt}`,
    following: 'Syncing',
    finished: 'Done',
    failed: 'Failed',
  },
  call: 'Show the exact request',
  request: 'Request',
  curl: 'As curl',
  copyCurl: 'Copy as curl',
  sharedCall: (title: string) => `Sent together with “${title}”.`,
  before: 'Before',
  after: 'After',
  nothing: 'nothing',
  changes: 'Changes',
  waitingFor: (turn: string) => `Waiting for ${turn}.`,
  checked: 'Checked',
  files: (processed: number, total: number) => `${processed} of ${total} files`,
  phases: {
    collect: 'Collecting changes',
    sync: 'Fetching files',
    postprocess: 'Activating files',
    completed: 'Done',
  } satisfies Record<JobPhase, string>,
  queued: 'The sync is queued.',
  reading: 'Refreshing…',
};

export const steps: Record<StepId, StepMessages> = {
  'sign-in': { title: 'Sign in', why: 'The configuration service must know who you are.' },
  'claim-organization': {
    title: 'Claim the organization',
    why: 'Only the owner of the organization on the code host can register sites in it.',
  },
  repository: {
    title: 'Check the repository',
    why: 'The service must be able to read it. Its branch “main” holds the site’s code.',
  },
  'create-configuration': {
    title: 'Create the cloud configuration',
    why: 'The page has none. The configuration stores the organization and the site name.',
  },
  'select-configuration': {
    title: 'Select the cloud configuration on the page',
    why: 'The page and all pages below it then use it.',
  },
  'keep-previous': { title: 'Save the current values', why: 'You can then undo the setup from this panel.' },
  'configuration-page': {
    title: 'Create the configuration page',
    why: 'Its rows become the site’s public configuration. It can be empty.',
  },
  'register-site': { title: 'Register the site', why: 'Tells the service where the code and the content of this site are.' },
  'store-secret': {
    title: 'Store the secret of the external repository',
    why: 'The service reads the code with it; all sites on this repository share it.',
  },
  'map-paths': { title: 'Map the paths', why: 'Turns content paths into the addresses that visitors see.' },
  'set-access': {
    title: 'Grant access',
    why: 'Administrators can change the site. The technical account can publish its pages.',
  },
  'code-sync': { title: 'Sync the code', why: 'The hosts serve the last synced code. Without a sync, they serve none.' },
  'editor-files': { title: 'Check the editor files', why: 'Without them, the editor shows a white page.' },
  'verify-preview': { title: 'Verify the preview host', why: 'The site’s configuration must be readable before anything is switched.' },
  'verify-live': { title: 'Verify the live host', why: 'The same check for the host that visitors use.' },
  'may-publish': {
    title: 'Check the publishing account',
    why: 'Publishing works only with the technical account of this authoring environment.',
  },
  'cloud-configuration': {
    title: 'Set organization and site name in the authoring system',
    why: 'Pages are then published to this site.',
  },
  'configuration-served': {
    title: 'Check the configuration page on the preview host',
    why: 'The service must be able to read its rows.',
  },
  'content-page': {
    title: 'Check the start page on the preview host',
    why: 'The authoring system must deliver the content to the service’s technical account.',
  },
  'project-type': {
    title: 'Switch the project type to repoless',
    why: 'This step is last. If switched earlier, the editor shows a white page.',
  },
};
