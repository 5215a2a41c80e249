import type { JobPhase } from '#contract/job.ts';
import type { JobProblemKind } from '#extension/setup/sync/job-problem.ts';
import type { JobStanding } from '#extension/setup/sync/job-standing.ts';
import type { Explained } from '../explained.ts';

const phases: Record<JobPhase, string> = {
  collect: 'Collecting changes',
  sync: 'Fetching files',
  postprocess: 'Activating files',
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
const problems: Record<JobProblemKind, (data: { readonly branch: string; readonly holder: string | undefined }) => Explained> = {
  'secret-refused': ({ holder }) => ({
    sentence: `The external repository does not accept the secret that ${holder === undefined ? 'another of its sites' : `the site “${holder}”`} holds. It was copied incorrectly, or revoked when the repository was linked to another site.`,
    next: 'Paste the secret that build management shows for this repository now. To get a new one, link the repository again.',
  }),
  'not-readable': () => ({
    sentence: 'The code host does not let the configuration service read this repository.',
    next: 'Make the repository public, or give the service access to it on the code host. Then sync again.',
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
    sentence: 'The code source received too many requests and refuses more for a while.',
    next: 'Wait a few minutes, then sync again.',
  }),
  outage: () => ({
    sentence: 'The code source does not respond as expected. The code synced before is still served.',
    next: 'Wait until it responds again, then sync again. Nothing else is wrong with your sites.',
  }),
  'too-large': () => ({
    sentence: 'The repository, or a file in it, is larger than the configuration service accepts.',
    next: 'Remove large files, or list them in .hlxignore. Then sync again.',
  }),
  interrupted: () => ({
    sentence: 'The configuration service was restarted while it was syncing. The code synced before is still served.',
    next: 'Sync again.',
  }),
  'address-refused': () => ({
    sentence: 'The configuration service may not call the address of this code source.',
    next: 'Ask the operator of the configuration service to allow it, or correct the site’s code source.',
  }),
  other: () => ({
    sentence: 'The sync did not finish. The code synced before is still served.',
    next: 'Sync again. If it fails again, tell the operator of the configuration service.',
  }),
};

export const sync = {
  title: 'Sync status',
  reading: 'Reading the sites…',
  pageSite: (site: string) => `Site “${site}”`,
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
    `This page belongs to no registered site (“${site}” is not registered). All sites of the organization are shown.`,
  noCode: (site: string) => `The site “${site}” has no code source yet. All sites of the organization are shown.`,
  onlyThisSite: 'You can’t list the sites of the organization, so only the site of this page is shown.',
  repositories: 'Repositories',
  back: 'All repositories',
  open: (name: string) => `Open ${name}`,
  siteCount: (count: number) => (count === 1 ? '1 site' : `${count} sites`),
  types: { github: 'Code host', byogit: 'External repository' },
  shared: (count: number) =>
    count === 1 ? 'One site uses this code.' : `${count} sites share this code. It is synced once for all of them.`,
  branches: 'Branches',
  branch: 'Branch',
  branchHelp: 'Choose one, or enter the name of another.',
  branchesUnread: 'Couldn’t read the branches',
  branchesMissing: 'No branch has been synced yet.',
  moreBranches: (count: number) => `Show ${count} more branches`,
  syncCode: 'Sync code',
  syncAgain: 'Sync again',
  syncBranch: (branch: string) => `Sync again: ${branch}`,
  stop: 'Stop',
  stopBranch: (branch: string) => `Stop: ${branch}`,
  starting: 'Starting…',
  joined: (branch: string) => `${branch} is already being synced. This is that sync.`,
  started: (branch: string) => `Sync of ${branch} started.`,
  branchInvalid: 'Enter the name of a branch. It needs a letter or a digit.',
  standings,
  phases,
  progress: (branch: string) => `Sync of ${branch}`,
  files: (done: number, total: number) => (total === 0 ? 'Counting files' : `${done} of ${total} files`),
  fileCount: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  commit: 'Commit',
  noCommit: 'not known yet',
  when: 'When',
  by: 'By',
  byNobody: 'unknown',
  failed: 'Failed',
  ignored: 'Ignored',
  waitsFor: 'Waiting for its turn:',
  live: 'Live',
  lost: 'No connection. Trying again',
  looking: 'Updated periodically',
  jobUnread: 'Couldn’t read the sync',
  jobReading: 'Reading the sync…',
  jobMissing: 'This branch was never synced.',
  earlier: 'Earlier syncs',
  means: 'What it means',
  message: 'Sync message',
  problems,
  announced: (branch: string, standing: string) => `${branch}: ${standing}`,
  sites: 'Sites',
  ownSite: (site: string) => `${site} (this page)`,
  secret: {
    label: 'New secret',
    help: (holder: string) => `It is stored encrypted with the site “${holder}” and never shown again.`,
    store: 'Store and sync again',
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
    text: 'Compares the branch in the repository, and the latest push that arrived, with the served code, and shows what happened in between.',
    check: 'Compare now',
    checking: 'Comparing…',
    pushed: 'Last push that arrived',
    head: 'The branch in the repository',
    served: 'Served',
    none: 'none',
    behind: 'The served code is older than the last push.',
    syncing: 'The last push is being synced.',
    failed: 'The last sync failed. The reason is shown above.',
    neverSynced: 'This branch was never synced.',
    noPush: 'No push of this branch arrived here.',
    notPushed: 'Nobody has pushed this branch recently.',
    noWebhook: 'Pushes can’t arrive here: the repository has no webhook.',
    refused: 'The last push arrived, but was refused.',
    pushMissing: 'The repository has a newer commit, but its push never arrived here.',
    branchGone: 'The repository has no such branch any more. The code synced before is still served.',
    current: 'The served code matches the branch in the repository. Reload the page without the browser’s cache to see it.',
    older: 'The served code does not match the branch in the repository.',
    compare: 'Couldn’t read the branch in the repository. Compare the served commit with the branch yourself.',
    next: {
      behind: 'Sync the code now.',
      syncing: 'Wait until it is finished.',
      failed: 'Follow the advice for the failed sync.',
      neverSynced: 'Sync the code now.',
      notPushed: 'Push the change to the hosted repository. It is synced automatically.',
      noWebhook: 'Create the webhook under “Build management” and enter it at the git vendor. Until then, sync manually.',
      noPush: 'Check the webhook at the git vendor: its address, its secret and its last deliveries. Until it works, sync manually.',
      pushMissing:
        'If somebody pushed a moment ago, compare again in a minute. If not, look at the deliveries of the webhook at the git vendor and send it again, or sync the code now.',
      branchGone: 'Push the branch again, or choose one that exists.',
      current: 'No action needed.',
      older: 'Sync the code now.',
      compare: 'If they differ, sync the code now.',
      refused: 'Read the reason at the delivery below, fix it, and send the delivery again.',
    },
  },
};
