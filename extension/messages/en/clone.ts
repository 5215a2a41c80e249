import type { LeftOut } from '#extension/setup/clone-site.ts';

/** Messages of a new site that is made from another one. */
export const clone = {
  open: 'Clone this site…',
  impossible: 'This site has no content root in an authoring system, so it can’t be cloned.',
  title: (site: string) => `Clone the site “${site}”`,
  text: 'Creates a new site with the stored configuration of this one. Enter the values that must differ.',
  taken: 'What is copied',
  takenList: [
    'Everything that is stored for the site itself: code source, access, groups, headers, folders, mappings and public settings. Paths below its content root are changed to the new one.',
    'Its profile: the new site uses the same one.',
  ],
  left: 'What is not copied',
  leftList: [
    'Secrets, API keys and tokens. Create new ones where the site needs them. Hosts that they protected stay protected.',
    'Hosts of the CDN and of the sidekick: each can belong to only one site.',
    'Versions and checks, and the content and settings in the authoring system.',
  ],
  siteName: 'Name of the new site',
  contentRoot: 'Content root of the new site',
  contentRootHelp: 'The path of its root page in the same authoring environment, such as /content/site.',
  review: 'Review the new site',
  trying: 'Testing the new site in the service…',
  differences: (site: string) => `Differences from “${site}”`,
  leftOut: {
    secrets: 'Its secrets are not copied.',
    apiKeys: 'Its API keys are not copied.',
    tokens: 'Its tokens are not copied.',
    hostKeys: 'The keys and secrets that give access to its hosts are not copied. The hosts stay protected.',
    repositorySecret: 'The secret of the repository stays with this site, and the new site uses it from there.',
    cdn: 'The CDN settings are not copied.',
    sidekickHosts: 'The hosts of the sidekick are not copied.',
  } satisfies Record<LeftOut, string>,
  create: (site: string) => `Create the site “${site}”`,
  creating: (site: string) => `Creating the site “${site}”…`,
  cancel: 'Cancel',
  failed: 'The site can’t be created like this',
  notCreated: 'The site was not created',
  problems: {
    'name-taken': 'A site with this name already exists. Choose another name.',
    'page-missing': 'This page doesn’t exist in the authoring system. Create it first, or correct the path.',
    'source-missing': 'The site to clone no longer exists.',
    'no-content-root': 'The site to clone has no content root in an authoring system.',
  },
  sameRoot: 'This is the content root of the site to clone. A content root can belong to only one site.',
  created: (site: string, source: string) => `The site “${site}” was created with the configuration of “${source}”.`,
  next: 'Its page is not set up in the authoring system yet. Open its setup, or check it.',
};
