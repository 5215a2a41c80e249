export const page = {
  eyebrow: 'Page properties · repoless setup',
  reading: 'Reading what is set…',
  readFailed: 'What is set could not be read',
  pageMissing: (path: string) => ({
    sentence: `There is no page ${path} in the authoring system, or you may not see it.`,
    next: 'Check the path, or ask the authoring system’s administrator for permission to read it.',
  }),
  siteRoot: (path: string) => `Site root ${path}`,
  openedFrom: (path: string) => `Opened from ${path}`,
  signedInAs: (name: string) => `Signed in as ${name}`,
};
