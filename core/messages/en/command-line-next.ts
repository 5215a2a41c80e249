import type { ErrorCode } from '@repoless/contract/errors.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { RowReason } from '../../sites/rows.ts';
import type { BlockReason } from '../../situation/call.ts';
import type { JobProblemKind } from '../../sync/sync-state.ts';

// Next steps in a terminal, where the panel's messages name its views and buttons. What happened is described by the panel's messages.

type Data = Readonly<Record<string, string>>;

const ADDRESS = 'Check the address of the service (--service, REPOLESS_SERVICE, or in the file).';
const AGAIN = 'Run the command again.';
const REPORT = 'Update repoless, or ask the operator to update the service. If it happens again, report it with the request ID.';
const STORE_SECRET = 'Store the secret that build management shows for this repository with the site that holds it (secret “cm-byog”).';

/** By the service's error code. */
export const nextByCode: Partial<Record<ErrorCode, string>> = {
  BODY_UNPARSABLE: REPORT,
  BODY_INVALID: 'Correct the value in the file or in the options.',
  BODY_MISSING: REPORT,
  QUERY_INVALID: 'Correct the option that the message names.',
  NAME_INVALID: 'Correct the name in the file or in the options.',
  HOST_LABEL_TOO_LONG: 'Shorten the site name in the file, or at --site.',
  PROPERTY_UNKNOWN: REPORT,
  CONTENT_ADDRESS_MISMATCH: 'Use the organization and the site name of the content address in the file.',
  AUTHOR_NOT_ALLOWED:
    'Ask the operator of the configuration service to allow this authoring system. On the hosted service, add its host to REPOLESS_AUTHOR_HOSTS.',
  HEADERS_TOO_LARGE: 'Set a shorter token in REPOLESS_TOKEN or REPOLESS_AUTHORING_TOKEN.',
  NOT_AUTHENTICATED: 'Run repoless login, or set REPOLESS_TOKEN.',
  TOKEN_REFUSED: 'Run repoless login, or set REPOLESS_TOKEN.',
  API_KEY_REFUSED: 'Give the git vendor the webhook address with its current API key.',
  REPOSITORY_SECRET_REFUSED: 'Link the repository again, and store the new secret with its site.',
  ROUTE_NOT_FOUND: `${ADDRESS} If it is right, the service may be older than this command line: tell its operator.`,
  CONFIG_TYPE_INVALID: `${ADDRESS} If it is right, the service may be older than this command line: tell its operator.`,
  METHOD_NOT_ALLOWED: `${ADDRESS} If it is right, the service may be older than this command line: tell its operator.`,
  ORG_NOT_FOUND: 'Check the name at --organization or in the file.',
  SITE_NOT_FOUND: 'Check the name. repoless export lists the sites of an organization; repoless apply registers those of a file.',
  PART_NOT_FOUND: `${AGAIN} The part was removed in the meantime.`,
  USER_NOT_FOUND: `${AGAIN} The user was removed in the meantime.`,
  GROUP_NOT_FOUND: `${AGAIN} The group was removed in the meantime.`,
  API_KEY_NOT_FOUND: `${AGAIN} The API key was removed in the meantime.`,
  SITE_TOKEN_NOT_FOUND: `${AGAIN} The site token was removed in the meantime, or has expired.`,
  SECRET_NOT_FOUND: STORE_SECRET,
  JOB_NOT_FOUND: 'Run repoless sync again. The job is too old and was removed.',
  COMMIT_NOT_KEPT: 'Choose a commit that the job of the branch lists.',
  EXTERNAL_REPOSITORY_NOT_FOUND: `${AGAIN} The repository was removed in the meantime, and can be onboarded again.`,
  DELIVERY_NOT_FOUND: 'Only the last hundred deliveries are kept.',
  BRANCH_NOT_FOUND: 'Name an existing branch with --branch, or push this one first.',
  CODE_NOT_SYNCHRONIZED: 'Run repoless sync for this branch.',
  FILE_NOT_FOUND: 'Push the file to this branch first.',
  VERSION_NOT_FOUND: 'Choose an existing version.',
  REPOSITORY_TAKEN: 'Use the repository that was onboarded already, or remove it first.',
  ROLLOUT_NOT_FOUND: 'Give the ID that repoless rollout printed when it started. Only the latest rollouts of an organization are kept.',
  ROLLOUT_REFUSED: 'Nothing was changed.',
  SUBSCRIPTION_NOT_FOUND: `${AGAIN} The recipient was removed in the meantime.`,
  SUBSCRIPTION_REFUSED: 'Nothing was changed.',
  WOULD_LOCK_OUT: 'Add yourself to access.role.admin in the file.',
  CODE_SOURCE_NOT_FOUND: 'Correct the owner and the repository at code in the file, or create the repository first.',
  PRECONDITION_FAILED: `Somebody else changed the site in the meantime. ${AGAIN}`,
  BODY_TOO_LARGE: 'Shorten the lists in the file.',
  CONTENT_TYPE_UNSUPPORTED: REPORT,
  CONTENT_ENCODING_UNSUPPORTED: REPORT,
  INTERNAL: 'Try again. If it happens again, report it to the operator of the configuration service with the request ID.',
};

/** For failures without an error code. */
export const nextByFailure = {
  changedMeanwhile: AGAIN,
  planChanged: 'Run repoless plan again, and review it.',
  unreachable: `${ADDRESS} If it is right, check your connection and try again in a minute.`,
  unexpected: 'Try again. If it happens again, report it with the details.',
  refused: 'Try again. If it happens again, tell the operator of the configuration service.',
  notWritten: 'Something between this machine and the authoring system may have answered instead. Try again, or tell its operator.',
  authoringSignIn: 'Set a new token in REPOLESS_AUTHORING_TOKEN.',
};

export const unexpectedService = {
  /** It answered, but not like the service. */
  sentence: (status: number | undefined) =>
    `What answers at the address of the service${status === undefined ? '' : ` (status ${status})`} is not a configuration service.`,
  unread: (about: string) =>
    `What answers at the address of the service is not a configuration service, or one of another version (${about.replace(/^: /, '')}).`,
  next: `${ADDRESS} If it is right, a proxy may have answered instead: try again in a minute, then tell the operator.`,
  notFound: 'The service has nothing of this name.',
  checkNames: `Check the names in the command. ${ADDRESS}`,
};

export const requestId = (id: string) => `Request ID: ${id}.`;

/** By the reason why a step is blocked; undefined if the panel's own sentence names nothing of the panel. */
export const nextByBlock: Partial<Record<BlockReason, (data: Data) => string | undefined>> = {
  'not-signed-in': () => 'Run repoless login, or set REPOLESS_TOKEN.',
  'answer-unread': () => nextByFailure.unexpected,
  'organization-missing': () => 'Correct the organization in the file, or create it on the code host.',
  'name-invalid': () => 'Correct the name in the file.',
  'host-label-too-long': () => 'Shorten the site name in the file.',
  'mapping-invalid': () => 'Correct the path in the file.',
  'technical-account-missing': () =>
    'Copy it from the Authentication tab of the Edge Delivery configuration to technicalAccount in the file.',
  'secret-missing': (data) =>
    data['registered'] === 'no'
      ? 'Have the first site of this repository created at build management, which registers it and stores the secret (docs/contract.md, external repositories). Then run the command again.'
      : STORE_SECRET,
  'secret-invalid': () => 'Store the right one with the site that holds it.',
  'cloud-configuration-missing': () =>
    'Choose a cloud configuration in the page properties of the site root in the authoring system, then run the command again.',
  'cloud-configuration-taken': () =>
    'Select a cloud configuration in the page properties of the site root in the authoring system, then run the command again.',
  'configuration-page-type': () =>
    'Name another page as configurationPage in the file, or create it again from the Configuration template.',
  refused: () => 'Correct the problem, then run the command again.',
  'repository-missing': () => 'Create the repository, or correct its owner and name at code in the file.',
  'repository-private': () => 'Correct its owner and name at code in the file, or connect a private repository as an external repository.',
  'sync-failed': (data) => (data['problem'] === 'secret-refused' ? `${STORE_SECRET} ${AGAIN}` : undefined),
  'sync-slow': () => 'Run repoless sync to follow it. When it has finished, run the command again.',
  'technical-account-mismatch': (data) => `Write ${data['own'] ?? 'that account'} at technicalAccount in the file.`,
  'technical-account-unlisted': () => 'Run repoless apply, which adds it.',
  'not-checkable': () => 'Ask the operator to update the configuration service; it may be older than this command line.',
  'version-missing': () => 'Restore another version, and set the project type in the authoring system yourself.',
};

/** By the reason why a site did not succeed. */
export const nextByRow: Partial<Record<RowReason, (data: Data) => string>> = {
  'page-missing': () => 'Correct the content root, or create the page in the authoring system first.',
  'site-missing': () => 'Restore it from its history, or leave it out of the command or the file.',
  'content-elsewhere': () => 'Plan the move again with --from for that environment, or name only the other sites.',
  'page-not-there': () => 'Copy the pages there first, or specify with --path where they are.',
  'not-authorized': () => `Ask an administrator of the organization, or of the authoring system, for permission. ${AGAIN}`,
  locked: (data) => `Ask ${data['by'] ?? 'them'} to unlock it, or name the other sites with --site.`,
  'not-writable': () => 'Ask the administrator of the authoring system for write permission there, or name the other sites with --site.',
  'not-ready': () => AGAIN,
  'changed-meanwhile': () => `Review their changes. ${AGAIN}`,
  refused: () => `Correct the problem. ${AGAIN}`,
  'signed-out': () => `Run repoless login, or set REPOLESS_TOKEN. ${AGAIN} Completed steps are kept.`,
};

/** By the problem of a failed sync. */
export const nextBySync: Partial<Record<JobProblemKind, string>> = {
  'secret-refused': `${STORE_SECRET} To get a new one, link the repository again.`,
  'branch-missing': 'Name an existing branch with --branch, or push this one first.',
};

type Fix = string | ((data: Data) => string);

/** For what a step of the setup fixes. */
export const APPLY = 'Run repoless apply.';
const SYNC = 'Run repoless sync.';
const ACCOUNT = 'technicalAccount in the file. The Authentication tab of the Edge Delivery configuration shows it.';

/** How to fix a finding, by its check, and by its variant or verdict (`otherwise`, `unknown`). */
export const fixByCheck: Partial<Record<CheckId, Readonly<Record<string, Fix>>>> = {
  'signed-in': { otherwise: 'Run repoless login, or set REPOLESS_TOKEN.', 'ends-soon': 'Run repoless login before you start.' },
  'organization-claimed': { name: 'Correct the organization in the file.' },
  'site-registered': { unknown: APPLY },
  'technical-account-listed': {
    unknown: (d) => (d['registered'] === 'no' ? APPLY : `Set REPOLESS_AUTHORING_TOKEN, or write the account at ${ACCOUNT}`),
  },
  'technical-account-environment': {
    otherwise: (d) => `Replace it with ${d['technicalAccount'] ?? 'that of this environment'} in the file. ${APPLY}`,
  },
  'wildcard-administrators': { otherwise: `List the administrators individually at access in the file. ${APPLY}` },
  'groups-exist': { otherwise: 'Remove the entry at access in the file, or create the group again.' },
  'content-address-site': {
    'other-source': `${APPLY} It asks you to confirm that the content is replaced.`,
    'other-author': 'Use a separate site for this environment, or move the site here with repoless move.',
  },
  'host-label': { otherwise: 'Shorten the site name in the file.' },
  'mapping-configuration': { missing: `If the file says configurationPage: false for the site, delete that line. ${APPLY}` },
  'configuration-page': {
    type: 'Create it again from the Configuration template, or name another page as configurationPage in the file.',
  },
  'editor-files': {
    'not-synced': `${SYNC} If the files are still missing then, check that .hlxignore doesn’t name them.`,
  },
  'project-type': { 'too-early': `${APPLY} It registers the site.` },
  'cloud-configuration-own': {
    otherwise: `Name one for this page alone as cloudConfiguration in the file. ${APPLY}`,
    missing: `Name one as cloudConfiguration in the file, or choose one in the page properties of the site root. ${APPLY}`,
  },
  'code-sync-fresh': {
    otherwise: `${SYNC} It explains the cause and what to do.`,
    'failed-served': `${SYNC} It explains the cause and what to do.`,
    'failed-behind': `${SYNC} It explains the cause and what to do.`,
    never: SYNC,
    'rolled-back': 'To follow the branch again, call PUT /served-code/<organization>/<site>/main with {"sha": null}.',
    behind:
      'If somebody pushed a moment ago, check again in a minute. If not, run repoless sync. Then look at the deliveries of the webhook, at the code host or the git vendor.',
    gone: `Make the repository and its branch available again. ${SYNC}`,
    uncompared: 'Compare this commit with the branch yourself. If they differ, run repoless sync.',
    stopped: SYNC,
    secret: `${STORE_SECRET} ${SYNC}`,
  },
  'secret-present': { otherwise: `${STORE_SECRET} To get a new one, link the repository again.` },
};
