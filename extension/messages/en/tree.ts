import type { Level, NodeDrift } from '#extension/setup/sites/tree.ts';

/** Messages of the content tree. */
export const tree = {
  title: 'Content tree',
  text: 'Select the pages that get their own site. Open a page to load the pages below it.',
  label: 'Pages',
  columns: { page: 'Page', level: 'Level', kind: 'Kind', state: 'State', site: 'Site', configuration: 'Cloud configuration' },
  /** A page that belongs to the site of a page above: it has no state of its own. */
  covered: 'Part of a site',
  levels: { root: 'Root', country: 'Country', locale: 'Locale', page: 'Page' } satisfies Record<Level, string>,
  coveredBy: (site: string) => `part of ${site}`,
  inherited: (from: string) => `inherited from ${from}`,
  noConfiguration: 'none',
  drifts: {
    organization: 'organization',
    siteName: 'site name',
    projectType: 'project type',
    cloudConfiguration: 'cloud configuration is not its own',
    siteRoot: 'mapping of the root',
    deliveryAddress: 'delivery address',
  } satisfies Record<NodeDrift['field'], string>,
  missingSite: (name: string) => `${name}: site doesn’t exist`,
  loading: 'Reading…',
  loadingFirst: 'Reading the content tree…',
  empty: 'You can’t read any pages below /content.',
  nothingFound: 'No page read so far matches.',
  searched: (found: number | undefined, read: number) => {
    const pages = `${read} ${read === 1 ? 'page' : 'pages'} read so far`;
    return found === undefined ? `${pages}. The search covers only these.` : `${found} of ${pages} ${found === 1 ? 'matches' : 'match'}.`;
  },
  searchedAll: (found: number | undefined, read: number) =>
    found === undefined ? `${read} pages, all read.` : `${found} of ${read} pages ${found === 1 ? 'matches' : 'match'}.`,
  readAll: 'Read the whole tree',
  check: {
    now: (count: number) => (count === 1 ? 'Check the site shown' : `Check the ${count} sites shown`),
    chosen: (count: number) => (count === 1 ? 'Check the selected site' : `Check the ${count} selected sites`),
    running: (done: number, total: number) => `Checking: ${done} of ${total} done…`,
    stop: 'Stop checking',
    stopped: 'Stopped. Checked sites keep their state.',
    done: (count: number, unread: number) =>
      `${count === 1 ? '1 site' : `${count} sites`} checked${unread === 0 ? '' : `; ${unread} of them couldn’t be read`}.`,
  },
  levelFailed: (path: string) => `Couldn’t read the pages below ${path}.`,
  readAgain: 'Refresh',
  search: 'Search title, path or site',
  stateFilter: 'State',
  anyState: 'Any state',
  levelFilter: 'Level',
  anyLevel: 'Any level',
  chooseBelow: (title: string) => `Select below “${title}”:`,
  chooseCountries: 'Countries',
  chooseLocales: 'Locales',
  chooseOwn: 'With this page',
  descending: (pages: number) => `Reading the tree: ${pages} pages so far…`,
  stop: 'Stop reading',
  chosen: (count: number) => (count === 0 ? 'Nothing selected' : count === 1 ? '1 page selected' : `${count} pages selected`),
  clear: 'Clear selection',
  added: (count: number) => (count === 0 ? 'Nothing more to select there.' : `${count} selected.`),
  unread: (levels: number) =>
    levels === 1
      ? 'Couldn’t read the pages below one page. Open it to try again.'
      : `Couldn’t read the pages below ${levels} pages. Open them to try again.`,
  review: 'Review the sites',
  sitesUnread: 'Couldn’t read the sites of the service, so the state of the pages is unknown',
  keys: 'Arrow keys move and open, Space selects, Shift with an arrow key extends the selection, Control+A selects all.',
  whyNot: {
    root: 'Set up this site in its page properties.',
    site: 'This page already has a site.',
    covered: 'Pages inside a site belong to that site.',
    unknown: 'Its state is unknown.',
  },
};
