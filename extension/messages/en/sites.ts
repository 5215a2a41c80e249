/** Messages of the frame around the content tree and the list of all sites. */
export const sites = {
  title: 'Sites on one code base',
  places: { sites: 'All sites', tree: 'Content tree', repositories: 'Repositories', rollouts: 'Rollouts' },
  reading: 'Reading the sites…',
  readFailed: 'Couldn’t read the sites',
  organizationMissing: {
    sentence: 'The configuration of this page does not name an organization.',
    next: 'Set up the base site in its page properties first, or enter the organization here.',
  },
  organization: 'Organization',
  open: 'Open',
  environment: (author: string) => `Authoring environment ${author}`,
};

/** Messages of choosing another authoring environment for stage or production. */
export const production = {
  open: 'Stage or production environment…',
  title: 'Sites of another authoring environment',
  text: 'A site for stage or production shares the repository. Its content comes from the other environment, through the technical account of that environment.',
  author: 'Address of the other author',
  authorHelp: 'For example https://author-p12345-e67890.adobeaemcloud.com',
  authorProblem: 'Enter the address of the authoring environment. It starts with https://.',
  same: 'You are already in this environment.',
  page: 'A page there that has a site, or will have one',
  pageHelp: 'The technical account is read from its configuration.',
  pageProblem: 'Enter a path that starts with /content/.',
  suffix: 'Suffix of the site names',
  suffixHelp: 'For example prod: wknd-ch-de-prod.',
  suffixProblem: 'Use lowercase letters, digits and hyphens.',
  read: 'Open its tree',
  reading: 'Reading the other environment…',
  failed: 'Couldn’t read the other environment',
  missing: (page: string, author: string) => ({
    sentence: `The page ${page} doesn’t exist on ${author}, or you can’t access it.`,
    next: 'Enter another page of that environment.',
  }),
  cancel: 'Cancel',
  now: (author: string) => `You are selecting pages of ${author}.`,
  account: (account: string) => `Its technical account is ${account}.`,
  noAccount: 'It shows no technical account. Enter it in the review table.',
  back: 'Back to the first environment',
};
