import type { JobPhase } from '#contract/job.ts';
import type { JobProblemKind } from '#extension/setup/sync/job-problem.ts';
import type { JobStanding } from '#extension/setup/sync/job-standing.ts';
import type { Explained } from '../explained.ts';

const phases: Record<JobPhase, string> = {
  collect: 'Looking for what changed',
  sync: 'Fetching files',
  postprocess: 'Putting the files in place',
  completed: 'Done',
};

const standings: Record<JobStanding['state'], string> = {
  never: 'Never synced',
  waiting: 'Waiting',
  running: 'Syncing',
  done: 'Up to date',
  stopped: 'Stopped',
  failed: 'Failed',
};

/** What a failed job means for the person, and what to do next. The job's own message stands beside it. */
const problems: Record<JobProblemKind, (data: { readonly branch: string; readonly holder: string }) => Explained> = {
  'secret-refused': ({ holder }) => ({
    sentence: `The external repository does not accept the secret that the site “${holder}” holds: it was copied wrong, or it was revoked because the repository was linked to another site.`,
    next: 'Paste the secret that build management shows for this repository now. To get a new one, link the repository again.',
  }),
  'not-readable': () => ({
    sentence: 'The code host does not let the configuration service read this repository.',
    next: 'Make the repository public, or give the service access to it on the code host; then sync again.',
  }),
  'repository-missing': () => ({
    sentence: 'The code source has no such repository.',
    next: 'Correct the owner and the name of the repository in the site’s code source, then sync again.',
  }),
  'branch-missing': ({ branch }) => ({
    sentence: `The repository has no branch “${branch}”.`,
    next: 'Choose a branch that exists, or push this one first.',
  }),
  'rate-limited': () => ({
    sentence: 'The code source is asked too often and refuses more for a while.',
    next: 'Wait some minutes, then sync again.',
  }),
  outage: () => ({
    sentence: 'The code source does not answer as it should. What was synced before is still served.',
    next: 'Wait until it answers again, then sync again. Nothing else is wrong with your sites.',
  }),
  'too-large': () => ({
    sentence: 'The repository, or a file in it, is larger than the configuration service takes.',
    next: 'Take large files out, or name them in .hlxignore; then sync again.',
  }),
  interrupted: () => ({
    sentence: 'The configuration service was restarted while it was syncing. What was synced before is still served.',
    next: 'Sync again.',
  }),
  'address-refused': () => ({
    sentence: 'The configuration service may not call the address of this code source.',
    next: 'Ask those who run the configuration service to allow it, or correct the site’s code source.',
  }),
  other: () => ({
    sentence: 'The sync did not come to its end. What was synced before is still served.',
    next: 'Sync again; if it comes back, tell those who run the configuration service.',
  }),
};

export const sync = {
  title: 'Sync status',
  reading: 'Reading the sites…',
  scope: (organization: string) => `All sites of ${organization}`,
  search: 'Search sites and repositories',
  searchSites: 'Search sites',
  counts: (repositories: number, sites: number) =>
    `${sites} ${sites === 1 ? 'site' : 'sites'} in ${repositories} ${repositories === 1 ? 'repository' : 'repositories'}`,
  found: (count: number) => (count === 0 ? 'Nothing found' : `${count} found`),
  empty: { sentence: 'No site of this organization has code yet.', next: 'Open page properties and enable repoless for a site.' },
  pageMissing: (path: string) => ({
    sentence: `There is no page ${path}.`,
    next: 'Open a page of a site in the editor, then open this panel again.',
  }),
  notRegistered: (site: string) =>
    `The page at hand belongs to no registered site (“${site}” is not registered). These are all sites of the organization.`,
  noCode: (site: string) => `The site “${site}” has no code source yet. These are all sites of the organization.`,
  onlyThisSite: 'You may not list the sites of the organization, so only the site of this page is shown.',
  repositories: 'Repositories',
  back: 'All repositories',
  open: (name: string) => `Open ${name}`,
  siteCount: (count: number) => (count === 1 ? '1 site' : `${count} sites`),
  types: { github: 'Code host', byogit: 'External repository' },
  shared: (count: number) =>
    count === 1 ? 'One site uses this code.' : `${count} sites share this code: it is synced once for all of them.`,
  branches: 'Branches',
  branch: 'Branch',
  branchHelp: 'Choose one, or write the name of another.',
  branchesMissing: 'No branch was synced yet.',
  moreBranches: (count: number) => `Show ${count} more branches`,
  syncCode: 'Sync code',
  syncAgain: 'Sync again',
  syncBranch: (branch: string) => `Sync again: ${branch}`,
  stop: 'Stop',
  stopBranch: (branch: string) => `Stop: ${branch}`,
  starting: 'Starting…',
  joined: (branch: string) => `${branch} is being synced already; this is that sync.`,
  started: (branch: string) => `Sync of ${branch} started.`,
  branchInvalid: 'Write the name of a branch; it needs a letter or a digit.',
  standings,
  phases,
  progress: (branch: string) => `Sync of ${branch}`,
  files: (done: number, total: number) => (total === 0 ? 'Counting files' : `${done} of ${total} files`),
  leftOut: (failed: number, ignored: number) =>
    [failed > 0 ? `${failed} could not be had` : '', ignored > 0 ? `${ignored} ignored` : ''].filter((part) => part !== '').join(', '),
  commit: 'Commit',
  noCommit: 'not known yet',
  when: 'When',
  by: 'By',
  byNobody: 'not told',
  left: 'Left out',
  live: 'Live',
  lost: 'No connection; trying again',
  looking: 'Read now and then',
  jobReading: 'Reading the sync…',
  jobMissing: 'This branch was never synced.',
  earlier: 'Earlier syncs',
  means: 'What it means',
  message: 'Message of the sync',
  problems,
  announced: (branch: string, standing: string) => `${branch}: ${standing}`,
  sites: 'Sites',
  ownSite: (site: string) => `${site} (this page)`,
  secret: {
    label: 'New secret',
    help: (holder: string) => `It is stored sealed with the site “${holder}” and never shown again.`,
    store: 'Store it and sync again',
    storing: 'Storing…',
    stored: 'The secret is stored. Syncing again…',
    missing: 'Paste the secret first.',
    holderMissing: {
      sentence: 'No site of this repository holds its secret.',
      next: 'Set the code source of its first site with the secret’s name “cm-byog”, then paste the secret here.',
    },
  },
  oldCode: {
    title: 'A site still shows old code',
    text: 'Compares the latest push with what is served, and shows what happened on the way.',
    check: 'Compare now',
    checking: 'Comparing…',
    pushed: 'Last push that arrived',
    served: 'Served',
    none: 'none',
    same: 'What was pushed last is served. Reload the page without the browser’s cache to see it.',
    behind: 'What is served is older than the last push.',
    syncing: 'The last push is being synced just now.',
    failed: 'The last sync failed; what it says above is the reason.',
    neverSynced: 'This branch was never synced.',
    noPush: 'No push of this branch arrived here.',
    refused: 'The last push arrived, but was refused.',
    compare: 'This is the commit that is served. Compare it with the branch on the code host.',
    next: {
      same: 'Nothing has to be done.',
      behind: 'Sync the code now.',
      syncing: 'Wait until it is done.',
      failed: 'Do what stands beside the failed sync.',
      neverSynced: 'Sync the code now.',
      noPush: 'Look at the webhook at the git vendor: its address, its secret and its last deliveries. Until it works, sync by hand.',
      compare: 'Sync the code now where they differ.',
      refused: 'Look at the reason of the delivery below, mend it, and send it again.',
    },
  },
};
