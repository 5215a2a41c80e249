import { type CodeFileStates, EDITOR_FILES } from './code-check.ts';
import { type BrokenRule, sentenceReader } from './value-rules.ts';

/**
 * What the service says about code: what it found at a code source, and why a sync failed or waits, as in the error of a job
 * (docs/contract.md 5.4); what build management says about a repository and its deliveries (docs/contract.md 7); and why a notification was
 * not delivered. Clients show these sentences, so they are sent whole; core/messages has each in the reader's language. Variables are in
 * braces, those that only English needs begin with an underscore. A sentence with several forms has one message.
 */
export const CODE_SENTENCES = {
  deliveryRepeats: '{problem} It will be tried again.',
  deliveryFailed: '{problem} Fix this, then send it again.',
  buildsUnresponsive: 'The storage of build management does not respond.',
  serviceUnresponsive: 'The configuration service does not respond.',
  messageStatus: 'It answered {status}.',
  sourceBranchesUnread: 'The code host has {place}, but its branches could not be read: {problem} Try again in a minute.',
  sourceFound: { repository: 'The code host has the repository {place}.', any: 'The code host has {place}.' },
  sourceUnreachable: 'Could not check {place} on the code host: {problem} Try again in a minute.',
  sourceStatus: 'The code host {host} answered {status} for {place}. Try again in a minute.',
  sourceMissing: 'The code host has no repository {place}. Correct owner and repo, or create it there.',
  sourceRefused:
    'The code host returned {status} for {place}: the repository is private, or does not exist. Correct owner and repo. A private repository can be used as an external repository.',
  sourceMoved: {
    any: 'The code host redirects {place} to another address: the repository was renamed or moved. Write its new owner and repo.',
    hosted: 'The code host redirects {place}: it was renamed or moved. Write its new owner and repo.',
  },
  sourceUnverified: 'The code host does not respond here for {place}. The hosted service queries it itself: the first sync will show.',
  sourceUnverifiedStatus:
    'The code host answered {status} here for {place}. The hosted service queries it itself: the first sync will show.',
  sourceNotPublic:
    'The code host does not show {place} to everyone: it is private, or does not exist. The hosted service reads a private repository if the vendor’s app on the code host is installed for it: the first sync will show.',
  sourceOfCloudManager: '{repository} is read by Cloud Manager: the first sync shows whether it can be.',
  codeHostStatus: 'The code host answered {status}.',
  sourceBranchMissing: 'The repository {place} has no branch "{branch}". Push it, or correct the name.',
  editorFilesMissing:
    'The repository {place} has the branch "{branch}", but not {files}: without {_them} the editor shows a white page. Add {_them} to the branch.',
  branchFound: 'The repository {place} has the branch "{branch}".',
  buildsNotSetUp: 'No build management is set up here, so the first code sync shows whether it can be read.',
  buildsNotQueried: 'The repository is at {host}, which is not queried: its first code sync shows whether it can be read.',
  buildsRawUrl: 'The address {url} belongs to build management, but raw_url {rawUrl} does not. Write both as build management shows them.',
  buildsKeyMissing: 'The service cannot check {place} in build management: the operator must set BUILD_MANAGEMENT_KEY.',
  buildsKeyRefused:
    'Build management does not accept the key of the service: the operator must set the same BUILD_MANAGEMENT_KEY for both.',
  buildsUnreachable: 'Could not check {place} in build management: {problem} Try again in a minute.',
  buildsStatus: 'Build management returned {status} for {place}. Try again in a minute.',
  externalUnknown:
    'Build management has no repository {repository} of program {program} for the organization "{org}". Choose one from its list, or onboard it.',
  externalBranchesUnread: 'The external repository "{name}" ({number}) is READY, but its branches could not be read: {problem}',
  externalBranchMissing: 'The external repository "{name}" ({number}) has no branch "{branch}". Push it, or correct the name.',
  externalBranchFound: 'The external repository "{name}" ({number}) is READY and has the branch "{branch}".',
  externalReady: 'The external repository "{name}" ({number}) is READY.',
  externalNotReady: 'The external repository "{name}" ({number}) is {state}, not READY. {problem}',
  ownershipPending: 'Its ownership is still being checked; wait until it is READY.',
  waiting: '{problem} Trying again in {seconds} s (attempt {attempt} of {attempts}).',
  queuedBehindOwn: '{count} other syncs of this organization are in progress. This one starts when one of them ends.',
  queued: 'Other syncs are in progress. This one starts when one of them ends.',
  hidden: 'The sync failed. Sign in with a role on this site to read why.',
  branchReplaced: 'The branch "{branch}", which has the same host name, was pushed and is synchronized instead.',
  branchDeleted: 'The branch was deleted.',
  branchMissing: 'branch not found',
  repositoryEmpty: {
    main: 'The repository is empty. Push a first commit to main, then synchronize again.',
    any: 'The repository is empty. Push a first commit, then synchronize again.',
  },
  repositoryMissing:
    '{host} answered 404: the repository {repository} does not exist, or is private. Check owner and name. The service reads the repository without signing in.',
  repositoryPrivate:
    '{host} answered 401 for {repository}: it does not exist, or is private. The service reads the repository without signing in.',
  repositoryRefused:
    '{host} answered 403 for {repository}: it refuses to show the repository. The service reads the repository without signing in.',
  repositoryMoved: '{host} answered {status} for {repository}: the repository was renamed or moved. Use its current name.',
  rateLimited: '{host} answered 429: too many requests.',
  storageFull: 'The storage for code is full. The previous code is still served. Ask the operator to free space, then synchronize again.',
  storageUnresponsive: {
    last: 'The storage for code does not respond. The previous code is still served. Synchronize again in a few minutes. If that fails too, contact the operator.',
    now: 'The storage for code does not respond.',
  },
  repositoryStatus: 'The repository answered {status}.',
  hostStatus: { repository: '{host} answered {status} for {_repository}.', any: '{host} answered {status}.' },
  hostUnresolved: 'The host name {host} cannot be resolved.',
  hostInternal: '{host} is an internal address, and the settings of the service refuse those.',
  hostSlow: { any: '{host} did not respond in time.', limit: '{host} did not respond within {_seconds} seconds.' },
  hostUnresponsive: '{host} does not respond.',
  hostClosed: { answer: '{host} closed the connection without an answer.', transfer: '{host} interrupted the transfer.' },
  hostAnswerTooLarge: 'The answer of {host} is too large.',
  hostUntrusted: 'The certificate of {host} is not trusted by the service.',
  hostWithoutGit: '{host} answers, but not as a git repository. Check the address of the code host.',
  branchesTooMany: {
    sync: 'The repository has too many branches to be listed. Remove branches.',
    check: 'The repository has too many branches to be listed. Remove branches, then retry.',
  },
  branchMoved: 'The branch changed faster than it could be read. Synchronize again when no one is pushing.',
  filesTooMany:
    'The branch has more than {limit} files, which is the limit here. Remove files from the branch, or ask the operator for a higher limit.',
  filesTruncated:
    'The list of files is truncated: the repository has more files than its host lists at once. Remove files from the branch.',
  foldersTooDeep: 'The files of the branch cannot be listed in time, because its folders are nested too deeply. Remove folders.',
  pathTooLong: 'A path of the repository has more than {limit} characters. Shorten it.',
  pathsTooLong: 'The paths of the branch have more than {limit} characters in total. Shorten the names of folders, or remove files.',
  repositoryTooLarge:
    'The repository is larger than {limit} bytes, which is the limit here. Remove large files from the branch, or ask the operator for a higher limit.',
  memoryTooSmall: 'Reading the repository takes more memory than the service allows. Remove large files from the branch.',
  codeTooLarge:
    'The organizations that {_do} have no quota left for this branch: {limit} bytes of code are allowed, and the branch alone has {bytes}. Delete unneeded branches, remove unneeded sites, or ask the operator for more.',
  ignoreLength: '.hlxignore has more than {limit} characters. Combine rules, for example by naming folders.',
  ignoreLines: '.hlxignore has more than {limit} lines. Combine rules, for example by naming folders.',
  ignoreWildcards: '.hlxignore has more than {limit} wildcards. Write fewer or simpler rules, for example by naming folders.',
  ignoreLine: 'Line {line} of .hlxignore is longer than {limit} characters. Shorten it.',
  ignoreSlow:
    'The rules of .hlxignore take too long on the files of this branch. Write fewer or simpler rules, for example by naming folders.',
  secretOther:
    'The code source names the secret "{name}", but only the secret "{secret}" is ever sent to a repository. Store its secret as "{_secret}", and name that.',
  secretUnreadable: 'The secret "{secret}" of site "{site}" cannot be opened with the keys of the service. Set it again.',
  addressesDiffer:
    'The addresses of the code source differ from those of site "{site}", which holds the secret. Set the same code.source.url and raw_url.',
  fileDiffers: {
    last: 'Unable to fetch {what}: it does not match the list of files.',
    now: '{what} does not match the list of files.',
  },
  answerUnexpected: 'Unable to fetch {what}: the response has an unexpected form. Check the address code.source.url.',
  fetchStatus: 'Unable to fetch {what}: {status}',
  fetchFailed: 'Unable to fetch {what}: {problem}',
  mirrorDamaged: "The service's own copy of the repository is damaged and is being recreated.",
  mirrorFull: 'The service cannot store its own copy of the repository: its disk is full or not writable. Tell its operator.',
  gitMissing: 'The git program is missing on the server. Its operator must install git.',
  gitOld: 'The git program on the server has the version {version}. Its operator must install version {needed} or newer.',
  tooLong: 'The sync took longer than {seconds} seconds. Synchronize again when the repository answers faster.',
  syncAbandoned:
    'The service ended unexpectedly twice during this sync, so it is not tried again. If a new sync fails the same way, contact the operator.',
  unexpected: 'Something unexpected happened. Report it with the name of the job, {job}.',
  vendorTokenRefused:
    '{_vendor} ({host}) refuses the access token (401). Create a new one with read access to the repository, then retry with it.',
  vendorAccessRefused:
    '{_vendor} ({host}) says that the access token cannot read the repository (403). Give it read access there, then retry.',
  vendorMissing: '{_vendor} ({host}) has no repository at this address, or the access token cannot read it (404). Check both, then retry.',
  vendorMoved: '{_vendor} ({host}) redirects to another clone address. Onboard the repository with that address.',
  vendorRateLimited: '{_vendor} ({host}) received too many requests (429). Retry in a few minutes.',
  vendorFailed: '{_vendor} ({host}) does not respond as expected (a server error). Retry in a minute.',
  vendorUnresolved: 'The host name of {_vendor} ({host}) cannot be resolved. Check the clone address, then retry.',
  vendorSlow: '{_vendor} ({host}) did not respond in time. Retry in a minute.',
  vendorUnresponsive: '{_vendor} ({host}) does not respond. Check the clone address, then retry in a minute.',
  vendorUntrusted: 'The certificate of {_vendor} ({host}) is not trusted here. Ask its administrator for a valid one.',
  vendorWithoutGit: '{_vendor} ({host}) answers at this address, but not as a git repository. Check the clone address, then retry.',
  vendorClosed: 'The transfer from {_vendor} ({host}) broke off. Retry in a minute.',
  cloneAddressUnreachable: '{problem} Check the clone address, then retry.',
  cloneAddressPath:
    'The path of the clone address has special characters. Remove the repository, and onboard it again with a plain address.',
  historyMemory: 'Reading the repository takes more memory than this service allows. Remove large files from its history, then retry.',
  historyTooLarge: 'The repository is larger than this service accepts. Remove large files from its history, then retry.',
  buildsFull: 'Build management cannot store its copy of the repository: its disk is full or not writable. Tell its operator.',
  challengeAwaited:
    'Commit the file {what} with the one line {token} to the branch {branch}, then retry. This proves that the repository is yours.',
  branchesMissing:
    'There is no branch at this address: the repository is empty, or it is not the address of a git repository. Check the clone address, or push the branch "{branch}", then retry.',
  mainMissing: 'The repository has no branch "{branch}", which contains the production code. Push one, then retry.',
  mainTooLarge: 'The branch "{branch}" has more than {limit} files, so it is not synchronized. Remove files from it.',
  mainNotRemovable: 'The code of "{branch}" is never removed.',
  linksUnserved: {
    one: '{count} symbolic link is not served, for example {what}.',
    many: '{count} symbolic links are not served, for example {what}.',
  },
  submodulesUnserved: {
    one: '{count} submodule is not served, for example {what}.',
    many: '{count} submodules are not served, for example {what}.',
  },
  filesUnserved: {
    one: '{count} file larger than {limit} MB is not served, for example {what}.',
    many: '{count} files larger than {limit} MB are not served, for example {what}.',
  },
  pointersServed: 'Files in Git LFS are served as their pointers. Keep what sites need outside of Git LFS.',
  accessTokenUnreadable:
    'The access token of this repository cannot be opened: the key that sealed it is missing. Retry with a new access token, or ask the operator of build management to put the key back.',
  repositoryUnexpected: 'Something unexpected happened while the repository was read. Retry. If it happens again, contact the operator.',
  deliveryUnexpected: 'Something unexpected happened.',
  eventWithoutBranch: 'It changes no branch.',
  eventWithoutCode: 'The event "{event}" changes no code.',
  signatureRefused: 'The signature in {_header} is missing or wrong. Enter the webhook secret of this repository at the git vendor.',
  apiKeyRefused: 'The API key is missing or not accepted. Enter the complete webhook address, with its api_key, at the git vendor.',
  branchGone: 'The branch "{branch}" no longer exists at the git vendor.',
  repositoryUnused: 'No site uses this repository yet. Register one that does.',
  branchNameTooLong:
    'No site on this repository has a host name that leaves enough characters for the branch "{branch}": DNS allows {limit} characters for branch, site and organization together. Give the branch a shorter name.',
  hostedDiffers: {
    parts: 'The hosted service stored something other than what was sent: {parts}.',
    any: 'The hosted service stored something other than what was sent.',
  },
  serviceStatus: 'The configuration service returned {status}.',
  serviceKeyRefused: 'The configuration service does not accept the key of build management. Set the same BUILD_MANAGEMENT_KEY in both.',
  mailSlow: 'The mail server did not accept it within {seconds} seconds.',
  mailRefused: 'The mail server did not accept it.',
  mailUnencrypted: 'The connection to the mail server could not be encrypted, so it was not sent.',
  messageUnexpected: 'Something unexpected happened. Report it with the id of the delivery, {id}.',
  messageUnsent: 'Not sent: {limit} messages to this recipient were waiting already. Send it again when they have arrived.',
  messageEmpty: 'The events in it are no longer stored.',
  messageWithheld:
    'Not sent: {_to} can no longer configure the organization. Remove this subscription, or give them a role that can, and send the message again.',
  messageRedirected: 'It returned {status}. Redirects are not followed: subscribe with the target address.',
  messageFailed: 'The request failed.',
} as const satisfies Readonly<Record<string, string | Readonly<Record<string, string>>>>;

type Sentences = typeof CODE_SENTENCES;

type SentenceId = { [Id in keyof Sentences]: Sentences[Id] extends string ? Id : `${Id}.${keyof Sentences[Id] & string}` }[keyof Sentences];

type TextOf<Id extends string> = Id extends keyof Sentences
  ? Sentences[Id]
  : Id extends `${infer Of extends keyof Sentences}.${infer Form}`
    ? Sentences[Of][Form & keyof Sentences[Of]]
    : never;

type VariableOf<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | VariableOf<Rest> : never;

type DataOf<Id extends SentenceId> = [VariableOf<TextOf<Id>>] extends [never]
  ? []
  : [data: Readonly<Record<VariableOf<TextOf<Id>>, string | number>>];

/** One of these sentences, with its data. */
export function codeSentence<Id extends SentenceId>(id: Id, ...[data]: DataOf<Id>): string {
  const values: Readonly<Record<string, string | number>> = data ?? {};
  return (TEXTS.get(id) ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** What a check of a code source found on the host: a branch, and which files of the editor it lacks. */
export function branchSentence(place: string, branch: string, files: CodeFileStates): string {
  const missing = EDITOR_FILES.filter((name) => files[name] === 'missing');
  if (missing.length === 0) return codeSentence('branchFound', { place, branch });
  const named = { files: new Intl.ListFormat('en').format(missing), _them: missing.length === 1 ? 'it' : 'them' };
  return codeSentence('editorFilesMissing', { place, branch, ...named });
}

/** Which of them a sentence is, with its data; undefined for that of another service. */
export const codeSentenceOf: (sentence: string) => BrokenRule | undefined = sentenceReader(CODE_SENTENCES);

const TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries<string | Readonly<Record<string, string>>>(CODE_SENTENCES).flatMap(([id, text]): [string, string][] =>
    typeof text === 'string' ? [[id, text]] : Object.entries(text).map(([form, one]) => [`${id}.${form}`, one]),
  ),
);
