import type { DeliveryOutcome } from '#contract/build-management-deliveries.ts';
import type { GitVendor } from '#contract/build-management.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { RepositoryState } from '#contract/repository-state.ts';

const vendors: Record<GitVendor, string> = {
  'github-enterprise': 'GitHub Enterprise',
  bitbucket: 'Bitbucket',
  gitlab: 'GitLab',
  'azure-devops': 'Azure DevOps',
  other: 'Another vendor (alpha)',
};

const states: Record<RepositoryState, string> = {
  added: 'Added',
  ownership_confirmed: 'Ownership confirmed',
  READY: 'Ready',
  failed: 'Failed',
};

const outcomes: Record<DeliveryOutcome, string> = {
  accepted: 'In progress',
  done: 'Done',
  ignored: 'Nothing to do',
  refused: 'Refused',
  failed: 'Failed',
};

/** Where the webhook is entered, by vendor. */
const webhookPlaces: Record<GitVendor, string> = {
  'github-enterprise': 'In the repository: Settings, Hooks, Add webhook. Content type application/json, event “push”.',
  bitbucket: 'In the repository: Repository settings, Webhooks, Add webhook. Trigger “Repository push”.',
  gitlab: 'In the project: Settings, Webhooks. The secret is the “Secret token”; trigger “Push events”.',
  'azure-devops':
    'In the project: Project settings, Service hooks, Web Hooks, “Code pushed”. The secret is the password of the basic authentication.',
  other: 'In the repository’s webhook settings: pushes as application/json, signed in the header X-Hub-Signature-256.',
};

/** What to do next, where it is not what it is at the configuration service. */
const problems: Partial<Record<ErrorCode, string>> = {
  NOT_AUTHENTICATED: 'Sign in again.',
  TOKEN_REFUSED: 'Sign in again.',
  ROUTE_NOT_FOUND: 'Build management may be older than this panel. Contact its operator.',
  METHOD_NOT_ALLOWED: 'Build management may be older than this panel. Contact its operator.',
  INTERNAL: 'Try again. If it happens again, contact the operator of build management.',
  SHUTTING_DOWN: 'Build management is being restarted. Try again in a minute.',
  STORAGE_UNAVAILABLE: 'Try again in a minute. If the problem persists, contact the operator of build management.',
  STORAGE_DAMAGED: 'Tell the operator of build management that its storage is damaged.',
  STORAGE_FULL: 'Nothing was changed. Tell the operator of build management that its storage is full.',
};

export const external = {
  title: 'External repositories',
  text: 'Repositories of other git vendors, connected through build management.',
  reading: 'Reading build management…',
  empty: 'No external repository has been onboarded yet.',
  notSet: 'This deployment has no build management, so you can’t use external repositories here.',
  count: (count: number) => (count === 1 ? '1 external repository' : `${count} external repositories`),
  linkedTo: (site: string) => `Linked to ${site}`,
  notLinked: 'Not linked',
  open: 'Build management',
  missing: {
    sentence: 'This repository no longer exists in build management.',
    next: 'Onboard it again, then link it to its first site.',
  },
  states,
  vendors,
  program: 'Program',
  repository: 'Repository',
  cloneUrl: 'Clone address',
  vendor: 'Git vendor',
  commit: 'Commit of main',
  warnings: 'Files that can’t be served',
  onboard: {
    open: 'Onboard a repository…',
    title: 'Onboard a repository',
    text: 'Build management reads the repository with your access token. This proves that you have access to it.',
    name: 'Name',
    nameHelp: 'Shown in lists.',
    program: 'Program',
    programHelp: 'The number after “p” in the author’s address: author-p<program>-e<environment>.',
    cloneUrl: 'HTTPS clone address',
    cloneUrlHelp: 'For example https://git.example.com/team/site.git',
    vendor: 'Git vendor',
    accessToken: 'Access token',
    accessTokenHelp: 'Needs read access to the repository. It is stored encrypted and never shown again.',
    challenge: 'Require a file as additional proof',
    submit: 'Onboard',
    submitting: 'Onboarding…',
    cancel: 'Cancel',
  },
  /** What is said of build management that is said elsewhere of the configuration service. */
  failures: {
    unreachable: {
      sentence: 'Build management does not respond.',
      next: 'Check your connection and try again in a minute.',
    },
    timeout: {
      sentence: 'Build management did not respond in time.',
      next: 'Try again in a minute.',
    },
    refused: (status: number | undefined) => ({
      sentence: `Build management refused the request${status === undefined ? '' : ` (status ${status})`}.`,
      next: 'Refresh. If it happens again, contact the operator of build management.',
    }),
    problems,
  },
  /** Where the answer to a write was lost: what may be there all the same, and what to do then. */
  lost: {
    link: {
      title: 'The repository may have been linked',
      next: 'Refresh. If it was, earlier secrets are revoked: create a new one and store it.',
    },
    linked: (site: string) => ({
      title: `The repository is linked to “${site}”, but its new secret was lost`,
      next: 'Earlier secrets are revoked, and syncs fail until a new one is stored. Create it with “New secret…”.',
    }),
    token: {
      title: 'A new access token may have been created',
      next: 'If it was, the previous one no longer works. Create another one.',
    },
    webhook: {
      title: 'New credentials may have been created',
      next: 'Create new ones. If that is refused, try again when the previous ones have expired.',
    },
    host: {
      title: 'The repository may have been created',
      next: 'Check the list. If it is there, open it and create a new access token.',
    },
    site: {
      title: 'The site may have been created',
      next: 'Refresh, and look for it before you create another one.',
    },
    onboard: {
      title: 'The repository may have been onboarded',
      next: 'Check the list before you try again.',
    },
  },
  oneClick: {
    title: 'Create a site',
    text: 'Registers a site with this repository as its code, and syncs it. You don’t become its administrator: the administrators of the organization manage it.',
    site: 'Site name',
    content: 'Content address',
    account: 'Technical account',
    accountHelp:
      'Lets the authoring system publish. Only administrators of the organization can set it. If you are not one, leave it empty.',
    submit: 'Create the site',
    submitting: 'Creating…',
    created: (site: string) => `The site “${site}” is registered.`,
    synced: 'Its code is being synced.',
    answerLost: 'No response arrived. Check its sync in the list of repositories.',
    administrators: (names: string) => `It is administered by ${names}. Ask them for the role “admin” if you need it.`,
    nobody: 'The organization has no administrator. Ask the operator of the configuration service.',
  },
  progress: {
    title: 'Onboarding',
    steps: { added: 'Added', ownership_confirmed: 'Ownership confirmed', READY: 'Ready to be linked' },
    done: 'done',
    now: 'being checked',
    next: 'pending',
    ready: 'The repository is ready. You can link it to a site.',
    challenge: (path: string, branch: string) => `Commit the file ${path} with this text to the branch “${branch}”, then check again:`,
    copyToken: 'Copy the text of the file',
    newToken: 'Different access token',
    newTokenHelp: 'Only if the old one caused the problem.',
    retry: 'Check again',
  },
  link: {
    title: 'Link to a site',
    text: 'A repository is linked to one site at a time. Other sites share it without a link.',
    site: 'Site',
    link: 'Link…',
    relink: 'New secret…',
    confirmTitle: (site: string) => `Link the repository to “${site}”?`,
    confirmFirst: 'Build management creates a secret and shows it once.',
    confirmSame: (site: string) => `The current secret of “${site}” is revoked immediately. Syncs fail until the new one is stored.`,
    confirmOther: (before: string) =>
      `The secret of “${before}” is revoked immediately. Its syncs, and those of every site that shares the repository, fail until the new one is stored.`,
    confirm: 'Link now',
    cancel: 'Cancel',
    linking: 'Linking…',
    notReady: 'You can link it when it is ready.',
    siteMissing: 'Choose a site of the organization.',
  },
  secret: {
    title: 'The new secret, shown only once',
    text: 'Store it now, or copy it to a safe place. It can’t be shown again.',
    value: 'Secret',
    copy: 'Copy the secret',
    revoked: (site: string) => `The previous secret of “${site}” was revoked.`,
    store: (site: string) => `Store it with “${site}”`,
    useFor: (site: string) => `Use the repository for “${site}” and store it`,
    end: {
      label: 'Last day (optional)',
      help: 'If the access token that build management uses at the git vendor expires, enter that day. Recipients of notifications get a reminder two weeks before.',
      over: 'Choose today or a later day.',
    },
    storing: 'Storing…',
    stored: (site: string) => `Stored with “${site}”. Sync its code now.`,
    done: 'I have copied it',
  },
  webhook: {
    title: 'Webhook',
    text: 'The git vendor reports each push through it, so that sites are synced automatically.',
    none: 'There is no webhook yet, so pushes are not received.',
    shownOnce: 'Its URL and secret were shown when they were created. If they are lost, create new ones.',
    address: 'Webhook URL',
    copyAddress: 'Copy the webhook URL',
    made: 'Created',
    previous: 'The previous credentials are valid until',
    make: 'Create the webhook',
    rotate: 'New credentials…',
    rotateTitle: 'Create new credentials?',
    rotateText: 'The old ones stay valid for a day, so that you can change them at the vendor.',
    rotateConfirm: 'Create new ones',
    rotateCancel: 'Keep these',
    making: 'Creating…',
    onceTitle: 'The webhook’s credentials, shown only once',
    onceText: 'Enter them at the git vendor now. The URL includes its key. They can’t be shown again.',
    secret: 'Secret',
    copySecret: 'Copy the webhook secret',
    username: 'User name',
    copyUsername: 'Copy the user name',
    places: webhookPlaces,
    done: 'I have entered them',
  },
  deliveries: {
    title: 'Last deliveries',
    empty: {
      'no-webhook': 'No events can be received yet, because the repository has no webhook.',
      webhook: 'No events have been received since the webhook was created. Check at the git vendor that it is active and sends pushes.',
    },
    outcomes,
    branchDeleted: (branch: string) => `${branch} deleted`,
    noBranch: 'no branch',
    resend: 'Send again',
    resendOf: (event: string, branches: string) => `Send again: ${event} ${branches}`,
    resending: 'Sending…',
    attempts: (count: number) => `run ${count} times`,
    readAgain: 'Refresh',
    more: (count: number) => `Show ${count} more`,
  },
};
