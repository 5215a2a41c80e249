import type { StepId } from '#extension/setup/plan.ts';
import type { StepMessages } from './plan.ts';

export const undo = {
  open: 'Undo setup…',
  title: 'Undo setup',
  text: 'These steps restore the previous values, starting with the authoring system.',
  reading: 'Checking whether the setup can be undone…',
  secrets: (names: string) => `These secrets will be deleted with the site, and can’t be restored: ${names}`,
  apiKeys: (names: string) => `These API keys will be deleted with the site, and can’t be restored: ${names}`,
  confirm: 'Undo setup now',
  cancel: 'Keep the setup',
  retry: 'Try again from the failed step',
  nothing:
    'The previous values are no longer saved, so the setup can’t be undone here. Restore an earlier version of the site under “History”, and the project type in the authoring system.',
  kept: (by: string, at: string) => `The previous values were saved by ${by} on ${at}.`,
};

/** What steps of a plan are called on the way back, where that is something else. */
export const undoSteps = {
  'create-configuration': {
    title: 'Remove the cloud configuration',
    why: 'This panel created it, and nobody has changed it since.',
  },
  'select-configuration': { title: 'Clear the cloud configuration of the page', why: 'It had none before.' },
  'keep-previous': { title: 'Delete the saved values', why: 'This step is last, so that an interrupted undo can continue.' },
  'configuration-page': { title: 'Remove the configuration page', why: 'Only if this panel created it.' },
  'register-site': { title: 'Restore the site’s configuration', why: 'The previous version, or no site if there was none.' },
  'verify-preview': { title: 'Verify the preview host', why: 'It must respond as it did before.' },
  'verify-live': { title: 'Verify the live host', why: 'The same check for the host that visitors use.' },
  'cloud-configuration': {
    title: 'Restore organization and site name in the authoring system',
    why: 'Pages are then published where they were before.',
  },
  'project-type': { title: 'Switch the project type back', why: 'This step is first, so that the editor always has a configuration.' },
} satisfies Partial<Record<StepId, StepMessages>>;
