/** Messages of moving sites to another authoring environment. */
export const move = {
  open: 'Move to another environment…',
  place: {
    title: 'Move sites to another authoring environment',
    text: 'The pages must already exist there. Content addresses, technical accounts, cloud configurations and access change in one plan, which you review first.',
    page: 'A page there that already has a site',
    read: 'Plan the move',
  },
  reading: 'Reading the sites in both environments…',
  failed: 'Couldn’t plan the move',
  title: (count: number) => (count === 1 ? 'Move 1 site' : `Move ${count} sites`),
  between: (from: string, to: string) => `From ${from} to ${to}.`,
  accounts: (old: string, account: string) => `In the access lists, the technical account ${account} replaces ${old}.`,
  accountStays: (old: string, account: string) => `The technical account ${account} is added to the access lists, and ${old} stays.`,
  accountUnknown: (author: string) => `Couldn’t read the technical account of ${author}. It stays in the access lists that contain it.`,
  oldPages: 'Nothing changes in the old environment, so that the sites can be moved back.',
  where: 'Paths and accounts',
  pathFrom: 'Content path in the old environment',
  pathTo: 'The same content in the new environment',
  pathHelp: 'Only if the paths differ. Mappings below them are changed, too.',
  pathProblem: 'Enter a path that starts with /content/, in both fields.',
  account: 'Technical account of the new environment',
  accountHelp: 'That environment shows none. You find it on the Authentication tab of an Edge Delivery configuration.',
  keep: 'Keep the old technical account as well',
  again: 'Plan again',
  label: 'Sites that move',
  columns: { site: 'Site', content: 'Content', configuration: 'Cloud configuration there', plan: 'What happens' },
  states: { moves: 'Moves', arrived: 'Already there', stays: 'Stays where it is' },
  changes: 'What changes',
  created: 'Created',
  leaveOut: (site: string) => `Exclude ${site}`,
  leftOut: (site: string) => `${site} excluded.`,
  left: (count: number) => (count === 1 ? '1 site can’t move. The others can.' : `${count} sites can’t move. The others can.`),
  nothing: 'No site is left to move.',
  apply: (count: number) => (count === 1 ? 'Move 1 site' : `Move ${count} sites`),
  verify: (count: number) => (count === 1 ? 'Verify 1 site' : `Verify ${count} sites`),
  sure: 'Each site is verified on its hosts. One that fails is restored.',
  untried: 'There was no test run.',
  back: 'Back to all sites',
  run: {
    progress: 'Moving the sites',
    partway: 'Stopped and moved back',
    toTree: 'Back to all sites',
    ended: {
      complete: (count: number, unchanged: number) =>
        `${count === 1 ? 'The site is in the new environment.' : `All ${count} sites are in the new environment.`}${unchanged === 0 ? '' : ` ${unchanged} needed no change.`}`,
      failed: (failed: number, done: number, astray: number) =>
        astray > 0
          ? `${failed === 1 ? '1 site failed and was not moved back' : `${failed} sites failed; ${astray} of them ${astray === 1 ? 'was' : 'were'} not moved back`}; ${done} moved.`
          : `${failed === 1 ? '1 site failed and stayed where it was' : `${failed} sites failed and stayed where they were`}; ${done} moved.`,
      stopped: (done: number, left: number, astray: number) =>
        `Stopped. ${done} moved, ${left - astray} remain where they were${astray === 0 ? '' : `, ${astray} not moved back`}.`,
      signedOut: (done: number, left: number, astray: number) =>
        `Your sign-in has ended. ${done} moved, ${left - astray} remain${astray === 0 ? '' : `, ${astray} not moved back`}.`,
      unreachable: (done: number, left: number, astray: number) =>
        `The service or the authoring system no longer responds. ${done} moved, ${left - astray} remain${astray === 0 ? '' : `, ${astray} not moved back`}.`,
    },
  },
  undo: (count: number) => (count === 1 ? 'Move 1 site back…' : `Move ${count} sites back…`),
  kept: {
    title: 'Unfinished move',
    text: (count: number, to: string, time: string) =>
      `${count === 1 ? 'The move of 1 site' : `The move of ${count} sites`} to ${to} was started on ${time} and may not be finished. Sites that have already moved are recognized.`,
    goOn: 'Plan the rest',
    discard: 'Discard',
  },
};
