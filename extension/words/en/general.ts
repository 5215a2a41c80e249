/** Words of the frame around every view. */
export const general = {
  product: 'Repoless site setup',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Select the text and copy it',
  retry: 'Try again',
  close: 'Close',
  loading: 'Loading…',
  what: 'What happened',
  next: 'What to do',
  details: 'Details',
  requestId: (id: string) => `Quote this number when you ask for help: ${id}`,
  start: {
    title: 'Enable repoless for a site',
    text: 'Run many sites on one code base. Name the authoring system and the root page of a site: the panel reads what is set there, shows what has to be done, and does it when you press the button.',
    author: 'Address of the authoring system',
    authorHelp: 'For example https://author-p12345-e67890.adobeaemcloud.com',
    authorProblem: 'Write the address of the authoring system, beginning with https://.',
    path: 'Path of the site’s root page',
    pathHelp: 'For example /content/wknd',
    pathProblem: 'Write a path that begins with /content/.',
    open: 'Open page properties',
    embedded: 'Inside the authoring system the same panel opens from the button “Site setup” in the editor’s header.',
  },
  host: {
    connecting: 'Connecting to the authoring system…',
    unreachable: {
      sentence: 'The authoring system that should frame this panel does not answer.',
      next: 'Close the panel and open it again from the editor.',
    },
    serviceMissing: {
      sentence: 'The address of the configuration service is not set.',
      next: 'Ask your administrator to set “service” in the configuration of this extension in Extension Manager, or in settings.json beside the app.',
    },
    serviceInvalid: (address: string) => ({
      sentence: `“${address}” is not an address of a configuration service.`,
      next: 'Ask your administrator to correct “service” in the configuration of this extension: it begins with https://.',
    }),
    pageMissing: {
      sentence: 'It is not known which page’s properties to show.',
      next: 'Open a page of the site in the editor, then open this panel again from the header.',
    },
  },
  register: {
    button: 'Site setup',
    rail: 'Sync status',
    sites: 'Sites of this tree',
    organization: 'All sites',
    modals: {
      'page-properties': 'Page properties: repoless setup',
      sites: 'Sites of the content tree',
      organization: 'All sites of the organization',
    },
  },
};
