const sites = (many: number) => (many === 1 ? '1 site' : `${many} sites`);

/** Words of removing many sites at once. */
export const removals = {
  open: 'Remove…',
  reading: (read: number, all: number) => `Reading what goes with the sites: ${read} of ${all}…`,
  failed: 'Couldn’t plan the removal',
  title: (many: number) => `Remove ${sites(many)}`,
  text: 'Their addresses stop responding, config.json included, and nobody can publish to them.',
  stays:
    'Content, configuration pages, repositories and all versions stay, so that the sites can be restored. Secrets and API keys do not come back.',
  label: 'Sites that are removed',
  columns: { site: 'Site', state: 'State', goes: 'Goes with it', page: 'Its page' },
  plans: { ready: 'Is removed', blocked: 'Stays', gone: 'Removed already' },
  productionHost: (host: string) => `${host} gets no pages from it any more.`,
  secrets: (names: string) => `Secrets: ${names}`,
  apiKeys: (names: string) => `API keys: ${names}`,
  more: (many: number) => `and ${many} more`,
  pages: {
    inherits: (page: string) => `${page} inherits its cloud configuration again.`,
    kept: (page: string) => `The settings of ${page} stay as they are.`,
    gone: (page: string) => `${page} no longer exists.`,
    none: 'No page in the authoring system.',
  },
  otherSite: 'Its repository or its content root is another one than in the list. Refresh the list and look at the site again.',
  base: (names: string) => `It is the base of sites that stay: ${names}. Remove those too, or first.`,
  holdsSecret: (names: string) =>
    `It holds the secret of the repository that sites which stay use: ${names}. Store the secret at one of them first.`,
  leaveOut: (site: string) => `Leave out ${site}`,
  left: (many: number) => `${sites(many)} can’t be removed. The others can.`,
  nothing: 'No site is left to remove.',
  untried: 'There was no test run.',
  confirm: 'To confirm, enter how many sites are removed',
  confirmProblem: (many: number) => `Enter ${many}.`,
  now: (many: number) => `Remove ${sites(many)}`,
  back: 'Back to all sites',
  progress: { remove: 'Removing the sites', restore: 'Restoring the sites' },
  done: (ended: number, all: number) => `${ended} of ${all}`,
  stop: 'Stop',
  stopping: 'Stopping after the present site…',
  states: {
    waiting: 'Waiting',
    running: 'In progress',
    removed: 'Removed',
    gone: 'Removed already',
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
