export const page = {
  reading: 'Reading the current settings…',
  readFailed: 'Couldn’t read the current settings',
  pageMissing: (path: string) => ({
    sentence: `The page ${path} doesn’t exist in the authoring system, or you can’t access it.`,
    next: 'Check the path, or ask the authoring system’s administrator for permission to read it.',
  }),
  siteRoot: (path: string) => `Site root ${path}`,
  openedFrom: (path: string) => `Opened from ${path}`,
  signedInAs: (name: string) => `Signed in as ${name}`,
};
