export const undo = {
  open: 'Undo setup…',
  title: 'Undo setup',
  text: 'These steps restore the previous values, starting with the authoring system.',
  reading: 'Checking whether the setup can be undone…',
  secrets: (names: string) => `These secrets are deleted with the site, and can’t be restored: ${names}`,
  apiKeys: (names: string) => `These API keys are deleted with the site, and can’t be restored: ${names}`,
  confirm: 'Undo setup now',
  cancel: 'Keep the setup',
  retry: 'Try again from the failed step',
  nothing:
    'The previous values are no longer saved, so the setup can’t be undone here. Restore an earlier version of the site under “History”, and the project type in the authoring system.',
  kept: (by: string, at: string) => `The previous values were saved by ${by} on ${at}.`,
};
