import { file } from './command-line-file.ts';
import { hosted, transfer } from './command-line-hosted.ts';

type MoveCounts = Readonly<Record<'moved' | 'unchanged' | 'failed' | 'left' | 'partly' | 'stopped', number>>;
type AppliedState = 'created' | 'changed' | 'unchanged' | 'failed' | 'partly' | 'unverified' | 'stopped';

export const commandLine = {
  usage: {
    noCommand: 'Choose a command. repoless --help lists them.',
    noFile: 'Specify the file with -f <path>.',
    noService: 'Specify the configuration service with --service <address>, in the file, or in REPOLESS_SERVICE.',
    otherService: (inFile: string, own: string) =>
      `The file names the service ${inFile}, but REPOLESS_TOKEN is for ${own === '' ? 'the service in REPOLESS_SERVICE, which is not set' : `${own} (REPOLESS_SERVICE)`}. If the file is right, specify the service with --service.`,
    serviceInvalid: (text: string) => `"${text}" is not a valid address of a configuration service. It starts with https://.`,
    proxyInvalid: (name: string) => `${name} is not the address of a proxy, such as http://proxy.example.com:8080. Correct or unset it.`,
    noOrganization: 'Specify the organization with --organization <name>.',
    oneFolder: '--site and --content-root apply to one project. Use them with one folder.',
    noSuchSite: (name: string) => `The file has no site "${name}". Specify one of its sites, or omit the option.`,
    branch: (text: string) =>
      `--branch ${JSON.stringify(text)}: use the name of a branch, e.g. main. It has a letter from a to z or a digit, at most 255 characters, no space, and none of * : ? [ \\ ^ ~.`,
    oneSite: 'Specify one site with --site <name>.',
    twoFormats: 'Choose one format: --json or --format.',
    twoOrganizations: (inFile: string, named: string) => `The file is for the organization ${inFile}, not ${named}. Omit --organization.`,
  },
  verifyLog: {
    intact: (org: string, entries: number, hash: string) =>
      `All ${entries} entries of the audit trail of ${org} are unaltered. The hash of the last entry is ${hash}. Keep it elsewhere: it shows later whether anything up to there was rewritten.`,
    broken: (org: string, sentence: string) => `The audit trail of ${org} was altered. ${sentence}`,
  },
  file,
  transfer,
  ...hosted,
  login: {
    open: (address: string, code: string) => `Open ${address} in a browser, sign in, and approve the code ${code}.`,
    done: (email: string, service: string) => `Signed in to ${service} as ${email}.`,
    openHosted: (address: string) => `Open ${address} in a browser, sign in, and press Send.`,
    whichSite:
      'The hosted service signs in for a site. Specify one with --organization <name> and --site <name>, or paste a token or an API key with --paste.',
    notSent: 'Nothing arrived within five minutes. Run repoless login again, or paste a token or an API key with --paste.',
    siteTokenOnly:
      'The page sent a token for the hosts of the site, but none for the configuration. Paste a token or an API key instead: repoless login --paste < file.',
    denied: 'The code was not approved. Run repoless login again.',
    expired: 'The code expired before it was approved. Run repoless login again.',
    stopped: 'Stopped. You are not signed in.',
    needed: 'You are not signed in. Run repoless login, or set REPOLESS_TOKEN.',
    ended: 'Your sign-in is not accepted: it has expired or was revoked. Run repoless login again.',
    notAccepted: (variable: string) =>
      `${variable} is not accepted: it has expired, was revoked, or is for another ${variable === 'REPOLESS_TOKEN' ? 'service' : 'authoring system'}. Set a new one.`,
    keyNotAccepted: (isVariable: boolean) =>
      `The API key is not accepted: it has expired, was revoked, or is for something else. Ask an administrator for a new one, and ${isVariable ? 'set it in REPOLESS_TOKEN' : 'store it with repoless login --paste'}.`,
    notKept: (path: string, why: string) =>
      `The sign-ins in ${path} couldn’t be changed: ${why}. Correct the permissions, or set XDG_CONFIG_HOME to another folder, and run the command again.`,
    noToken: (variable: string) =>
      `${variable} contains characters that a token can’t have. Set only the token, without quotes, spaces, line breaks or "Bearer".`,
  },
  logout: {
    forgotten: (service: string) => `The token for ${service} was removed from this machine. It stays valid until it expires.`,
    done: (email: string, service: string) => `Signed out of ${service} as ${email}.`,
    everywhere: (email: string, service: string) => `All sessions of ${email} at ${service} have ended. API keys still work.`,
    failed: (status: number) => `The service answered ${status}, so the session may still be open. Run repoless logout again.`,
  },
  plan: {
    nothing: (count: number) => `Nothing to do. ${count === 1 ? 'The site matches' : `All ${count} sites match`} the file.`,
    title: (organization: string) => `Sites of ${organization}`,
    columns: { site: 'Site', what: 'Plan', parts: 'Parts' },
    actions: { create: 'create', change: 'change', remove: 'remove', blocked: 'blocked', none: 'in sync' },
    leftRows: (count: number) => `And ${count} more ${count === 1 ? 'site' : 'sites'}.`,
    left: (count: number) =>
      `The details of ${count} more ${count === 1 ? 'site' : 'sites'} are too long for a comment. To see them, run repoless plan.`,
    creates: (path: string) => `${path} is created`,
    field: (name: string, from: string | undefined, to: string) => (from === undefined ? `${name}: ${to}` : `${name}: ${from} → ${to}`),
    keepsPrevious: 'The previous values are saved, so that setup can be undone.',
    untried: (why: string) => `There was no test run. ${why}`,
    removes: 'everything',
    summary: ({
      create,
      change,
      remove,
      unchanged,
      blocked,
    }: Readonly<Record<'create' | 'change' | 'remove' | 'unchanged' | 'blocked', number>>) =>
      `${create} to create, ${change} to change, ${remove === 0 ? '' : `${remove} to remove, `}${unchanged} in sync${blocked === 0 ? '' : `, ${blocked} blocked`}.`,
  },
  sync: {
    none: (org: string) => `No site of ${org} has code to sync.`,
    notRegistered: (sites: readonly string[]) =>
      `${sites.join(', ')} ${sites.length === 1 ? 'is' : 'are'} not registered, or you have no role there. Run repoless apply first, or ask an administrator for access.`,
    synced: (where: string, sites: number, sha: string | undefined) =>
      `${where}: synced${sha === undefined ? '' : ` at ${sha}`}, for ${sites === 1 ? '1 site' : `${sites} sites`}.`,
    started: (where: string, job: string) => `${where}: started as ${job}. It continues in the service.`,
    oneRepository: (places: readonly string[]) =>
      `A commit belongs to one repository, but the sites have ${places.join(', ')}. Specify a site with --site <name>.`,
    kept: (commits: readonly string[]) => `Commits whose files are stored: ${commits.join(', ')}`,
    rolledBack: (where: string, sha: string) =>
      `${where}: all sites serve ${sha} from now on, also after later syncs. To follow the branch again, run repoless sync --commit latest.`,
    follows: (where: string, sha: string) => `${where}: all sites serve ${sha} and what is synced later.`,
    stopped: (where: string) => `${where}: stopped before it finished. The previous code is still served.`,
    failed: (where: string, why: string) => `${where}: failed. ${why}`,
    summary: ({ synced, started, stopped, failed }: Readonly<Record<'synced' | 'started' | 'stopped' | 'failed', number>>) =>
      `${synced} synced${started === 0 ? '' : `, ${started} started`}${stopped === 0 ? '' : `, ${stopped} stopped`}, ${failed} failed.`,
  },
  rollout: {
    missing: (id: string, org: string) =>
      `${org} has no rollout ${id}, or this service doesn’t support rollouts. Use the ID that repoless rollout printed when it started; only the latest rollouts are kept.`,
    kind: (count: number, changes: readonly string[]) => `${count === 1 ? '1 site' : `${count} sites`}: ${changes.join('; ')}`,
    refused: (site: string, sentence: string) => `${site}: refused. ${sentence}`,
    worse: (site: string, checks: readonly string[]) => `${site}: these checks passed before and fail now: ${checks.join(', ')}.`,
    kept: (site: string, sentence: string) => `${site}: left as it is. ${sentence}`,
    stuck: (site: string, sentence: string) => `${site}: couldn’t be restored. ${sentence}`,
    preview: ({ changed, unchanged, refused }: Readonly<Record<'changed' | 'unchanged' | 'refused', number>>) =>
      `${changed} would change, ${unchanged} would not, ${refused} would be refused. Nothing was changed.`,
    started: (title: string, id: string) => `“${title}” was started as ${id}.`,
    progress: (done: number, total: number) => `${done} of ${total} sites`,
    ends: {
      running: (id: string) => `Rollout ${id} is in progress. The service continues it.`,
      undoing: (id: string) => `Rollout ${id} is being undone. The service continues it.`,
      stopped: (id: string) => `Rollout ${id} stopped. Resume it with --resume ${id}, or undo it with --undo ${id}.`,
      done: (id: string) => `Rollout ${id} is done.`,
      undone: (id: string) => `Rollout ${id} is undone.`,
    },
    undoStopped: (id: string) => `Rollout ${id} stopped while it was being undone. Undo the rest with --undo ${id} --apply.`,
    undoNext: (id: string) => `Undo it with --undo ${id} --apply.`,
    why: {
      asked: 'Somebody stopped it.',
      refused: 'Sites were refused, so it stopped before the next wave.',
      worse: 'After this wave, checks fail that passed before, so it stopped.',
      'profile-changed': 'Somebody else changed the profile in the meantime.',
      blocked: 'The service couldn’t continue, so it stopped.',
    },
    counts: (states: readonly string[]) => states.join(', '),
  },
  content: {
    question: (site: string, { from, to, preview, live }: Readonly<Record<'from' | 'to' | 'preview' | 'live', string>>) =>
      `The site has the content ${from}. ${to} would replace it, and the pages below ${from} would disappear from ${preview} and ${live}. If that is what you want, add --allow-content-change ${site}. If the site is somebody else’s, choose another name.`,
    change: ({ from, to }: Readonly<Record<'from' | 'to', string>>) => `Content: ${from} → ${to}`,
    disappear: ({ from, preview, live }: Readonly<Record<'from' | 'preview' | 'live', string>>) =>
      `The pages below ${from} disappear from ${preview} and ${live}.`,
    oldPage: (from: string) => `${from} keeps its settings in the authoring system.`,
  },
  clone: {
    names: 'Specify the site to clone with --from <site>, and the new one with --site <name>.',
    noSource: (site: string, organization: string) =>
      `${organization} has no site "${site}" that could be cloned, or you have no role there. repoless export --organization ${organization} lists its sites.`,
    noRoot: 'Specify the content root of the new site with --content-root <path>.',
    tried: (site: string, source: string) =>
      `The site “${site}” can be created with the configuration of “${source}”. Nothing was written.`,
  },
  move: {
    authors: 'Specify the old environment with --from <author>, and the new one with --to <author>.',
    author: (text: string) => `"${text}" is not the address of an author. It starts with https://.`,
    same: 'The sites are already in that environment. Specify another one with --to <author>.',
    path: (text: string) => `--path ${text}: use <prefix>=<prefix>, the content path in the old environment and in the new one.`,
    noAuthoring: 'This reads the pages of both environments. Set REPOLESS_AUTHORING_TOKEN.',
    noSite: (name: string, organization: string) =>
      `${organization} has no site "${name}". repoless export --organization ${organization} lists its sites.`,
    none: (author: string) => `Nothing to do. No site gets its content from ${author}.`,
    nothing: (count: number, author: string) =>
      `Nothing to do. ${count === 1 ? 'The site already gets its' : `All ${count} sites already get their`} content from ${author}.`,
    accounts: (old: string, account: string) => `In the access lists, the technical account ${account} replaces ${old}.`,
    accountStays: (old: string, account: string) => `The technical account ${account} is added to the access lists, and ${old} stays.`,
    accountUnknown: (author: string) => `Couldn’t read the technical account of ${author}. It stays in the access lists that contain it.`,
    next: 'Nothing was written. Add --apply to move them.',
    moved: 'moved',
    summary: ({ moved, unchanged, failed, left, partly, stopped }: MoveCounts, author: string) =>
      `${moved} moved, ${unchanged} already there, ${failed} failed${left === 0 ? '' : `, ${left} of them left in ${author}`}${partly === 0 ? '' : `, ${partly} stopped and moved back`}${stopped === 0 ? '' : `, ${stopped} not started`}.`,
    failed: 'A site that failed stays where it was. Run the same command again to continue.',
    left: 'The other sites that failed stay where they were. Run the same command again to continue.',
    back: (command: string) => `To move them back: ${command}`,
  },
  simulate: {
    noAuthoring: 'The pages are in the authoring system. Set REPOLESS_AUTHORING_TOKEN.',
    more: (pages: number) => `${pages === 1 ? '1 more page' : `${pages} more pages`}; see --json.`,
  },
  prune: {
    noPrevious: '--prune needs --previous <file>: the previous version of the file. Only sites in that version are ever removed.',
    noPrune: '--previous is the previous version of the file. To remove the sites that are no longer in the file, add --prune.',
    twoInputs: 'Only one file can be read from standard input.',
    emptyFile: 'The file has no sites, so --prune would remove all of them. Remove the last site in the panel or through the API.',
    twoOrganizations: (path: string, before: string, now: string) =>
      `${path} is for the organization ${before}, not ${now}. Its sites are not removed.`,
    twoServices: (path: string, before: string, now: string) =>
      `${path} is for the service ${before}, not ${now}. Its sites are not removed. If both are the same service, specify it with --service.`,
    notListed: 'Couldn’t list the sites of the organization, so their dependencies are unknown. --prune needs a role in the organization.',
    addresses: (preview: string, live: string) => `${preview} and ${live} stop responding.`,
    productionHost: (host: string) => `${host} no longer gets pages from it.`,
    secrets: (names: readonly string[]) => (names.length === 0 ? 'It has no secrets.' : `Secrets deleted: ${names.join(', ')}.`),
    apiKeys: (names: readonly string[]) => (names.length === 0 ? 'It has no API keys.' : `API keys revoked: ${names.join(', ')}.`),
    versions: (count: number) =>
      `${count === 1 ? '1 version is' : `${count} versions are`} kept: the panel can restore the site from its history.`,
    page: {
      inherits: (page: string) => `${page} inherits its cloud configuration again.`,
      kept: (page: string) => `The settings of ${page} in the authoring system stay as they are.`,
      repoless: (page: string) =>
        `${page} keeps the project type repoless: without the site, the editor shows a white page there and publishing fails. Undo setup on that page first, or set another project type.`,
      gone: (page: string) => `${page} no longer exists in the authoring system.`,
    },
    otherSite:
      'In the service, its repository or content root differs from the previous file. It may belong to somebody else now, so it is not removed.',
    base: (sites: readonly string[]) => `Remaining sites depend on it: ${sites.join(', ')}. Remove those first.`,
    holdsSecret: (sites: readonly string[]) =>
      `It holds the secret of a repository that other sites use: ${sites.join(', ')}. Store the secret with one of them first.`,
    serviceOnly: (count: number) =>
      `The ${count === 1 ? 'page of the removed site keeps its' : 'pages of removed sites keep their'} project type and cloud configuration in the authoring system. Without the site, a page that is set to repoless shows a white page in the editor: set another project type there.`,
    notBegun: (sites: readonly string[]) => `Nothing was removed, because these sites did not succeed: ${sites.join(', ')}.`,
    summary: (removed: number, failed: number) => `${removed} removed${failed === 0 ? '' : `, ${failed} not removed`}.`,
  },
  apply: {
    progress: (done: number, total: number, failed: number) => `${done} of ${total} done${failed === 0 ? '' : `, ${failed} failed`}`,
    left: (seconds: number) => `about ${seconds} s left`,
    follows: (site: string, step: string, waits: 'config' | 'hosted' | 'own') =>
      `${site}: ${step}: its hosts do not serve it yet. ${
        {
          config: 'On the hosted service that usually takes up to two minutes, at most ten.',
          hosted: 'On the hosted service that takes up to a minute, or, while config.json is not served there either, at most ten.',
          own: 'Waiting for up to a minute.',
        }[waits]
      }`,
    paused: (seconds: number) => `waiting at the service's request: ${seconds} s`,
    created: 'created',
    changed: 'changed',
    removed: 'removed',
    unchanged: 'unchanged',
    failed: 'failed',
    partly: 'partly written',
    unverified: 'written, not verified',
    stopped: 'not started',
    summary: ({ created, changed, unchanged, failed, partly, unverified, stopped }: Readonly<Record<AppliedState, number>>) =>
      `${created} created, ${changed} changed, ${unchanged} unchanged, ${failed} failed${partly === 0 ? '' : `, ${partly} partly written`}${unverified === 0 ? '' : `, ${unverified} written but not verified`}, ${stopped} not started.`,
    serviceOnly:
      'The authoring system was not changed. Set REPOLESS_AUTHORING_TOKEN to set cloud configurations and configuration pages too.',
    again: 'Run the same command again to continue.',
  },
  check: {
    fine: (count: number) => `${count === 1 ? 'The site is' : `All ${count} sites are`} fine.`,
    fineAsFar: (count: number, open: number) =>
      `No errors, but ${open === 1 ? '1 check was' : `${open} checks were`} not made for ${count === 1 ? 'the site' : `${count} sites`}.`,
    summary: (wrong: number, warnings: number, open: number) =>
      `${wrong} ${wrong === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}${open === 0 ? '' : `, ${open} not checked`}.`,
    notChecked: 'not checked',
    notRecorded: (count: number, why: string) =>
      `The results of ${count === 1 ? '1 site' : `${count} sites`} were not recorded in the service. ${why}`,
    noChecks: 'The service is too old to store check results.',
    notFound: 'The site doesn’t exist in the service.',
    serviceOnly: (checks: string) => `Not checked without the authoring system: ${checks}. Set REPOLESS_AUTHORING_TOKEN to check them too.`,
    page: {
      fine: (address: string) => `${address} serves the site’s home page.`,
      wrong: (address: string, status: string) => `${address} returns ${status} instead of the site’s home page.`,
      fix: 'Publish the home page. Check that the content root is mapped to "/" and that the code is synced.',
      protected: (address: string, status: string) => `${address} is protected (status ${status}).`,
      unreachable: (address: string) => `${address} does not respond.`,
    },
    notRead: 'Couldn’t check the site.',
  },
  status: {
    registered: 'in sync',
    differs: 'differs from the file',
    missing: 'not registered, or you have no role there',
    unread: 'couldn’t be read',
    summary: (
      { registered, differs, missing, unread }: Readonly<Record<'registered' | 'differs' | 'missing' | 'unread', number>>,
      seesAll: boolean,
    ) =>
      `${registered} in sync, ${differs} differ, ${missing} not registered${seesAll || missing === 0 ? '' : ', or you have no role there'}${unread === 0 ? '' : `, ${unread} couldn’t be read`}.`,
  },
  export: {
    skipped: (site: string) =>
      `${site} was skipped: it has no code source or no content root, or its content does not come from an authoring system.`,
    noSuchSites: (sites: readonly string[], organization: string) =>
      `The organization ${organization} has no site named ${sites.map((site) => `"${site}"`).join(', ')}. Without --site, all of its sites are exported.`,
    leftOut: (sites: readonly string[]) =>
      `Nothing was written, because ${sites.map((site) => `"${site}"`).join(', ')} can’t be in the file: not of this --author or --code, or skipped. Omit ${sites.length === 1 ? 'it' : 'them'}.`,
    unread: (site: string, why: string) => `Couldn’t read ${site}: ${why}`,
    nothing: 'Nothing was written.',
    none: (organization: string) => `The organization ${organization} has no matching sites. Leave out --author, --code or --site.`,
    written: (path: string, count: number) => `${path}: ${count} ${count === 1 ? 'site' : 'sites'}.`,
    notWritten: (path: string, why: string) => `Couldn’t write ${path}: ${why}. Specify another file with --out.`,
    whyNotWritten: { ENOENT: 'there is no such folder', EACCES: 'you don’t have permission', EISDIR: 'it is a folder' },
  },
  import: {
    noFstab: (path: string) => `${path} is missing. Run this in the folder of a project that has one.`,
    notDelivery: (address: string) =>
      `The content address ${address} is not one of an authoring system (…/bin/<connector>.delivery/<organization>/<site>/main).`,
    otherBranch: (ref: string) => `The content address names the branch ${ref}. A site gets its content from main.`,
    otherConnector: (connector: string) =>
      `The content address names the connector ${connector}. A site gets its content from that of the service.`,
    noPaths: 'The project has no paths.json, so its content root is unknown. Specify it with --content-root <path>.',
    noRoot: 'It maps no content with everything below it to "/". Specify the content root with --content-root <path>.',
    otherRemote: (code: string) =>
      `The remote "origin" is not a repository <owner>/<repo>, so the code is taken from ${code}. Specify another one with --code.`,
    otherPaths: (name: string) => `${name} was left out: a file of sites cannot contain it. Add it to "public.paths" of the site.`,
    furtherFile: (why: string, address: string) => `It is not in the file of sites. ${why} Send it to ${address}.`,
    otherOrganization: (own: string, first: string, folder: string) =>
      `The organization is ${own}, but that of ${folder} is ${first}, and a file is for one organization. Specify it with --organization, or import this project separately.`,
    sameName: (name: string, folder: string) =>
      `The site in ${folder} is also named "${name}". Import one of them separately, with --site.`,
    sameRoot: (root: string, folder: string) => `${folder} also has the content root ${root}. A content root can belong to only one site.`,
    obsolete: (files: readonly string[]) =>
      `Once the file is applied, ${files.join(' and ')} ${files.length === 1 ? 'is' : 'are'} no longer needed.`,
  },
  failed: (sentence: string, next: string | undefined) => (next === undefined ? sentence : `${sentence} ${next}`),
  stopped: 'Stopped.',
};
