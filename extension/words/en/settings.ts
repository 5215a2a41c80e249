import type { Drift } from '#extension/setup/findings.ts';

export const settings = {
  title: 'What is set',
  notSet: 'Not set',
  names: {
    projectType: 'Project type',
    organization: 'Organization',
    siteName: 'Site name',
    configurationPage: 'Configuration page',
    technicalAccount: 'Technical account',
    cloudConfiguration: 'Cloud configuration',
    deliveryAddress: 'Delivery address',
  },
  repoless: 'repoless',
  otherProjectType: (value: string) => `not repoless (${value})`,
  sources: {
    page: (path: string) => `from the page ${path}`,
    inherited: (from: string) => `inherited from ${from}`,
    configuration: (path: string) => `from the configuration ${path}`,
    delivery: () => 'from the delivery address',
    derived: () => 'derived from the other settings',
    missing: () => 'nobody has set it yet',
  },
  liveCopy: (of: string) => `This page is a live copy of ${of}.`,
};

export const choices = {
  title: 'What will be set',
  text: 'Proposed from what is there. Correct what is not right.',
  organization: 'Organization',
  organizationHelp: 'The organization on the code host.',
  siteName: 'Site name',
  siteNameHelp: 'Part of the site’s addresses.',
  configurationPage: 'Configuration page',
  configurationPageHelp: 'Becomes the site’s public configuration sheet.',
  codeOwner: 'Owner of the code repository',
  codeRepo: 'Code repository',
  codeRepoHelp: 'All sites on one code base use the same.',
  administrators: 'Administrators',
  administratorsHelp: 'E-mail addresses of those who may administer the site.',
  addAdministrator: 'Add administrator',
  newAdministrator: 'E-mail address of a further administrator',
  removeAdministrator: (name: string) => `Remove ${name}`,
  administratorListed: (name: string) => `${name} is in the list already.`,
  administratorsMissing: 'Name at least one administrator.',
  technicalAccount: 'Technical account',
  technicalAccountHelp: 'Shown on the Authentication tab of the Edge Delivery configuration. It publishes the pages.',
  technicalAccountMissing: 'Write the technical account of this authoring system; without it nobody can publish.',
  pathMissing: 'Write the path of the page, beginning with /content/.',
  addresses: 'Addresses of the site',
  preview: 'Preview',
  live: 'Live',
  rest: 'Set by itself',
  invalid: 'Correct the marked fields first.',
  reset: 'Back to the proposal',
  external: 'External repository',
};

export const drift = {
  title: 'The authoring system and the configuration service differ',
  line: (field: string, authoring: string, service: string) =>
    `${field}: the authoring system says “${authoring}”, the configuration service says “${service}”.`,
  empty: 'nothing',
  next: 'Enable repoless again to bring both together.',
  fields: {
    organization: 'Organization',
    siteName: 'Site name',
    configurationPage: 'Configuration page',
    technicalAccount: 'Technical account',
    siteRoot: 'Site root',
    deliveryAddress: 'Delivery address',
  } satisfies Record<Drift['field'], string>,
};
