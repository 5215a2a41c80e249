const sites = (many: number) => (many === 1 ? '1 site' : `${many} sites`);

/** Messages of removing many sites at once. */
export const removals = {
  open: 'Remove…',
  reading: (read: number, all: number) => `Reading what is removed with the sites: ${read} of ${all}…`,
  failed: 'Couldn’t plan the removal',
  title: (many: number) => `Remove ${sites(many)}`,
  text: 'Their addresses stop responding, config.json included, and nobody can publish to them.',
  stays:
    'Content, configuration pages, repositories and all versions are kept, so that the sites can be restored. Secrets and API keys can’t be restored.',
  label: 'Sites to remove',
  columns: { site: 'Site', state: 'State', goes: 'Removed with it', page: 'Its page' },
  plans: { ready: 'Will be removed', blocked: 'Stays', gone: 'Already removed' },
  productionHost: (host: string) => `${host} no longer gets pages from it.`,
  secrets: (names: string) => `Secrets: ${names}`,
  apiKeys: (names: string) => `API keys: ${names}`,
  more: (many: number) => `and ${many} more`,
  pages: {
    inherits: (page: string) => `${page} inherits its cloud configuration again.`,
    kept: (page: string) => `The settings of ${page} stay as they are.`,
    gone: (page: string) => `${page} no longer exists.`,
    none: 'No page in the authoring system.',
  },
  otherSite: 'Its repository or content root no longer matches the list. Refresh the list and check the site again.',
  base: (names: string) => `Remaining sites depend on it: ${names}. Remove those too, or first.`,
  holdsSecret: (names: string) =>
    `It holds the secret of a repository that remaining sites use: ${names}. Store the secret with one of them first.`,
  leaveOut: (site: string) => `Exclude ${site}`,
  leftOut: (site: string) => `${site} excluded.`,
  left: (many: number) => `${sites(many)} can’t be removed. The others can.`,
  nothing: 'No site is left to remove.',
  untried: 'There was no test run.',
  confirm: 'To confirm, enter the number of sites to remove',
  confirmProblem: (many: number) => `Enter ${many}.`,
  now: (many: number) => `Remove ${sites(many)}`,
  back: 'Back to all sites',
  progress: { remove: 'Removing the sites', restore: 'Restoring the sites' },
  done: (ended: number, all: number) => `${ended} of ${all}`,
  stop: 'Stop',
  stopping: 'Stopping after the current site…',
  states: {
    waiting: 'Waiting',
    running: 'In progress',
    removed: 'Removed',
    gone: 'Already removed',
    stopped: 'Stays',
    blocked: 'Stays',
    failed: 'Failed',
    restored: 'Restored',
    'not-restored': 'Not restored',
  },
  ended: {
    remove: (many: number, left: number) =>
      `${many === 1 ? '1 site is' : `${many} sites are`} removed.${left === 0 ? '' : ` ${left === 1 ? '1 site is' : `${left} sites are`} still there.`}`,
    restore: (many: number, left: number) =>
      `${many === 1 ? '1 site is' : `${many} sites are`} restored.${left === 0 ? '' : ` ${left === 1 ? '1 site is' : `${left} sites are`} not.`}`,
  },
  again: (many: number) => `Plan ${sites(many)} again`,
  restore: (many: number) => `Restore ${sites(many)}`,
};
