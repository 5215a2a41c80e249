import type { LeftOut } from '#extension/setup/clone-site.ts';

/** Messages of a new site that is made from another one. */
export const clone = {
  open: 'Clone this site…',
  impossible: 'This site has no content root in an authoring system, so it can’t be cloned.',
  title: (site: string) => `Clone the site “${site}”`,
  text: 'Creates a new site with the configuration that is stored for this one. Enter what must differ.',
  taken: 'What is taken over',
  takenList: [
    'Everything that is stored for the site itself: code source, access, groups, headers, folders, mappings and public settings. Paths below its content root are changed to the new one.',
    'Its profile: the new site uses the same one.',
  ],
  left: 'What is not taken over',
  leftList: [
    'Secrets, API keys and tokens. Create new ones where the site needs them; a host that they guarded stays guarded.',
    'Hosts of the CDN and of the sidekick: each belongs to one site.',
    'Versions and checks, and the content and settings in the authoring system.',
  ],
  siteName: 'Name of the new site',
  contentRoot: 'Content root of the new site',
  contentRootHelp: 'The path of its root page in the same authoring environment, such as /content/site.',
  review: 'Review the new site',
  trying: 'Testing the new site in the service…',
  differences: (site: string) => `Differences from “${site}”`,
  leftOut: {
    secrets: 'Its secrets are not taken over.',
    apiKeys: 'Its API keys are not taken over.',
    tokens: 'Its tokens are not taken over.',
    hostKeys: 'The keys and secrets that may read its hosts are not taken over. The hosts stay guarded.',
    repositorySecret: 'The secret of the repository stays at this site, and the new site uses it there.',
    cdn: 'The CDN settings are not taken over.',
    sidekickHosts: 'The hosts of the sidekick are not taken over.',
  } satisfies Record<LeftOut, string>,
  create: (site: string) => `Create the site “${site}”`,
  creating: (site: string) => `Creating the site “${site}”…`,
  cancel: 'Cancel',
  failed: 'The site can’t be created like this',
  notCreated: 'The site was not created',
  problems: {
    'name-taken': 'A site with this name already exists. Choose another name.',
    'page-missing': 'There is no such page in the authoring system. Create it first, or correct the path.',
    'source-missing': 'The site to clone no longer exists.',
    'no-content-root': 'The site to clone has no content root in an authoring system.',
  },
  sameRoot: 'This is the content root of the site to clone. Each content root has one site.',
  created: (site: string, source: string) => `The site “${site}” is created with the configuration of “${source}”.`,
  next: 'Its page is not set up in the authoring system yet. Open its setup, or check it.',
};
