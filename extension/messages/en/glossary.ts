/** The terms that the panel uses, in plain language. `docs/glossary.md` is made of them. */
export const glossary = {
  title: 'Glossary',
  entries: {
    repoless: {
      term: 'Repoless',
      means:
        'Many sites share one code repository, and the configuration service stores the configuration of each. “Project type” under “Current settings” says whether a page uses it.',
    },
    site: {
      term: 'Site',
      means:
        'The content below one content root, served with the code of one repository at its own preview and live addresses. “All sites” lists the sites of an organization.',
    },
    organization: {
      term: 'Organization',
      means:
        'The owner of sites, with the same name as the owner of the code on the code host. Choose it under “New settings”. Its users and groups are under “Access”.',
    },
    baseSite: {
      term: 'Base site',
      means: 'The site that is set up first and whose code and administrators new sites share. Choose it when you review new sites.',
    },
    contentRoot: {
      term: 'Content root',
      means: 'The page of the authoring system where a site begins. It belongs to exactly one site. “All sites” shows it for each site.',
    },
    deliveryAddress: {
      term: 'Delivery address',
      means:
        'The address in the authoring system from which the configuration service reads the content of a site. It is shown under “Current settings”.',
    },
    technicalAccount: {
      term: 'Technical account',
      means:
        'The account with which an authoring environment publishes pages. The Authentication tab of the Edge Delivery configuration shows it, and the list “Configuration administrators” under “Access” must contain it.',
    },
    cloudConfiguration: {
      term: 'Cloud configuration',
      means:
        'The place in the authoring system, below /conf, that stores the organization and the site name of a page. A page that has none inherits the one of a page above it.',
    },
    configurationPage: {
      term: 'Configuration page',
      means: 'A page of the authoring system whose rows become the public configuration of a site. Its path is under “Current settings”.',
    },
    mapping: {
      term: 'Mapping',
      means:
        'A rule that turns a content path into the path that visitors see. The plan sets the mappings of a site. “Simulate on the pages” shows what a change does to the addresses of pages before it is saved, and “History” shows the changes.',
    },
    profile: {
      term: 'Profile',
      means:
        'Configuration that several sites share. A site that extends a profile uses its values, except those that the site sets itself. A site that names no profile uses the profile “default”, if it exists.',
    },
    rollout: {
      term: 'Rollout',
      means:
        'A change to many sites that the service applies site by site: the same edits, or a new configuration of a profile. It runs in waves, with checks between them, and can be stopped and undone. See “Rollouts”.',
    },
    wave: {
      term: 'Wave',
      means: 'The sites that a rollout changes before it checks them and continues: for example one site, then 10 %, then all.',
    },
    drift: {
      term: 'Drift',
      means:
        'A difference between the settings in the authoring system and the configuration in the service. The page properties list it, and the state of the site is “Differs”.',
    },
    testRun: {
      term: 'Test run',
      means:
        'A check of a change that saves nothing, called “dry run” on the command line and in the API. New sites get a test run before they are set up.',
    },
    codeSource: {
      term: 'Code source',
      means:
        'The repository whose code a site is served with: on the code host, or an external repository. “Sync status” shows it with the sites that share it.',
    },
    codeSync: {
      term: 'Code sync',
      means:
        'Copies the files of a branch from the code source to the configuration service, once for all sites that share it. “Sync status” shows its progress.',
    },
    externalRepository: {
      term: 'External repository',
      means:
        'A repository of another git vendor, connected through build management. Onboard one, and link it to its first site, in “Sync status”.',
    },
    hosts: {
      term: 'Preview and live host',
      means: 'The two hosts that serve a site: preview for authors, live for visitors. Their addresses are shown when the site is set up.',
    },
  },
};
