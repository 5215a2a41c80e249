import type { ErrorCode } from './errors.ts';

/**
 * The members of `data` in a problem with this code, those with `?` not always; beside `rule` stands the data of that rule. Code and data say
 * to a program what `detail` says in English; core/messages has the sentence in the reader's language.
 */
export const ERROR_DATA = {
  BODY_INVALID: ['rule?'],
  QUERY_INVALID: ['rule?'],
  NAME_INVALID: ['rule?'],
  HOST_LABEL_TOO_LONG: ['rule?'],
  PROPERTY_UNKNOWN: ['part'],
  CONTENT_ADDRESS_MISMATCH: ['org', 'site'],
  SECRET_NOT_ALLOWED: ['org?', 'site?', 'requested?'],
  NOT_AUTHORIZED: ['reason?', 'caller?', 'grantedBy?'],
  CLAIM_NOT_PROVEN: ['repository?', 'path?'],
  AUTHOR_NOT_ALLOWED: ['host'],
  QUOTA_REACHED: ['quota', 'used', 'limit'],
  EXTERNAL_LIMIT_REACHED: ['limit'],
  ORG_NOT_FOUND: ['org'],
  SITE_NOT_FOUND: ['org', 'site'],
  PART_NOT_FOUND: ['part'],
  PROFILE_NOT_FOUND: ['org', 'profile'],
  USER_NOT_FOUND: ['org', 'user'],
  GROUP_NOT_FOUND: ['org', 'group'],
  SITE_TOKEN_NOT_FOUND: ['id'],
  API_KEY_NOT_FOUND: ['id'],
  SECRET_NOT_FOUND: ['name'],
  JOB_NOT_FOUND: ['branch', 'job'],
  EXTERNAL_REPOSITORY_NOT_FOUND: ['org', 'repository'],
  BRANCH_NOT_FOUND: ['branch'],
  FILE_NOT_FOUND: ['path?'],
  VERSION_NOT_FOUND: ['version'],
  BRANCH_BUSY: ['branch', 'job?'],
  REPOSITORY_TAKEN: ['cloneUrl'],
  WEBHOOK_ROTATED: ['until'],
  CONTENT_ROOT_TAKEN: ['org?', 'site?', 'host?'],
  SITE_EXISTS: ['org', 'site'],
  USER_EXISTS: ['email', 'id'],
  SECRET_IN_USE: ['sites', 'count'],
  PROFILE_IN_USE: ['sites', 'count'],
  SUBSCRIPTION_REFUSED: ['reason', 'limit?', 'to?'],
  ROLLOUT_REFUSED: ['reason', 'profile?', 'title?', 'limit?'],
  VERSION_IS_CURRENT: ['version'],
  VERSION_REFUSED: ['version', 'code'],
  WOULD_LOCK_OUT: ['reason'],
  ORG_ALREADY_CLAIMED: ['grantedBy?'],
  PRECONDITION_FAILED: ['etag?'],
  STORAGE_QUOTA_REACHED: ['quota', 'used', 'limit'],
  BODY_TOO_LARGE: ['limit?'],
  FILE_TOO_LARGE: ['path', 'limit'],
  REPOSITORY_NOT_READY: ['state', 'owner?', 'repo?'],
  MIGRATION_NOT_POSSIBLE: ['file?', 'line?'],
  CODE_SOURCE_NOT_FOUND: ['owner', 'repo'],
  CODE_SOURCE_REFUSED: ['owner', 'repo'],
  ORG_UNKNOWN_ON_CODE_HOST: ['host', 'org'],
  AUTHOR_UNREACHABLE: ['says?'],
  CODE_HOST_UNREACHABLE: ['owner?', 'repo?', 'says?'],
  BUILD_MANAGEMENT_UNREACHABLE: ['owner?', 'repo?'],
  REPOSITORY_UNREACHABLE: ['says?'],
  AUTHOR_TIMEOUT: ['seconds'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/** The values of `reason` in the data of a problem. */
export const ERROR_REASONS = {
  NOT_AUTHORIZED: ['operator', 'access', 'profileAccess', 'profileSecrets', 'profileRead', 'secretAddress', 'person', 'sharedCode'],
  SUBSCRIPTION_REFUSED: ['waiting', 'backlog', 'limit', 'noMail', 'mailAddress'],
  ROLLOUT_REFUSED: [
    'notRunning',
    'profileChanged',
    'notResumable',
    'undone',
    'credentials',
    'same',
    'sites',
    'profileOpen',
    'profileUnused',
    'noSites',
    'open',
  ],
  WOULD_LOCK_OUT: ['site', 'organization', 'lastAdmin'],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/**
 * The rules that single values break: the name of each, and its sentence with what it is about in braces (`{_}`: left out). A schema has room
 * for the sentence alone, so that its rule and data are read from it: here, by the service for `errors` of a problem document, and by the
 * extension for what it checks itself. core/messages has the sentence in the reader's language.
 */
export const RULES: Readonly<Record<string, string | readonly string[]>> = {
  type: 'Write {types} here.',
  requiredType: 'This is required; write {types}.',
  values: 'Write {values} here.',
  requiredValues: 'This is required; write {values}.',
  unknown: 'Unknown property "{name}". Remove it.',
  nameNotAllowed: 'The name "{name}" is not allowed here.{_}',
  tooLarge: 'This is too large; the limit is {limit}.',
  tooSmall: 'This is too small; write at least {limit}.',
  form: 'This matches none of the allowed forms.',
  json: ['Write a value of JSON.', 'This is required; write a value of JSON.'],
  nameEmpty: 'The {kind} name is empty.',
  nameUppercase: 'The {kind} name "{name}" has uppercase letters; write "{lower}".',
  nameCharacters: 'The {kind} name "{name}" may hold only lowercase letters, digits and single hyphens between them.',
  branchWithoutHost: 'The branch "{branch}" cannot have a host name: its name has no letter from a to z and no digit.',
  branchWritten: 'In addresses, the branch "{branch}" is written "{ref}".',
  hostLabelReserved:
    'The host name label "{label}" begins with "xn--", which DNS reserves for names in other scripts. Give the branch another name.',
  hostLabelSite: 'The host name label "{label}" has {length} characters; DNS allows {limit}. Shorten the site name by {over}.',
  hostLabelBranch: 'The host name label "{label}" has {length} characters; DNS allows {limit}. Shorten the name of the branch by {over}.',
  placeholder: [
    '"{placeholder}" is a placeholder. Write {_} in its place.',
    '{_} holds a placeholder in angle brackets: write the real path.',
  ],
  mappingColon: '"{mapping}" has no colon; write <content path>:<public path>, e.g. /content/site/:/.',
  pathAbsolute: ['The {_} path of "{path}" must be absolute: start it with "/".', 'The path "{path}" must be absolute: start it with "/".'],
  pathSegment: ['The {_} path of "{path}" has an empty segment ("//").', 'The path "{path}" has an empty segment ("//").'],
  pathDots: ['The {_} path of "{path}" must not contain "." or ".." segments.', 'The path "{path}" must not contain "." or ".." segments.'],
  pathCharacters: [
    'The {_} path of "{path}" must not contain spaces, ":", "?", "#" or "\\".',
    'The path "{path}" must not contain spaces, ":", "?", "#" or "\\".',
  ],
  pathGlobs: 'At most {count} paths of a list have "*", each with at most {length} characters.',
  empty: ['An empty string is not allowed here. Use {_}', 'An empty string is not a valid role name: {_}'],
  member: ['"{value}" is not allowed here. Use an e-mail address such as {_}'],
  roleName: '"{value}" is not a valid role name: use lowercase letters, "-" and "_".',
  trueFalseAuto: 'Write true, false or "auto", the first two without quotation marks.',
  trueFalse: 'Write true or false, without quotation marks.',
  characters: ['{_} holds letters, digits, {signs}.', 'Use only letters, digits, {signs}.'],
  headerName: 'A header name holds letters, digits, hyphens and a few other signs, and no space.',
  headerValue: 'A header value holds printable characters of ISO 8859-1.',
  headerPath: 'Write a path such as "/**" or "/products/*", of letters, digits, "-", "_", ".", "/" and "*".',
  headerStars: 'A path has at most {limit} runs of "*".',
  headersLength: 'The headers of a path have at most {limit} characters in total.',
  headerPaths: 'Headers are set for at most {limit} paths.',
  headerReserved: 'This header belongs to the connection, to the response itself or to a proxy in front of it and cannot be set.',
  originSlashes: '"{text}" begins with "/" and does not end with it. Write an expression between two slashes.',
  originUnreadable: 'The expression "{text}" cannot be read. Write it without lookaheads, lookbehinds and references to groups.',
  originLength: 'The expressions of "{_}" have more than {limit} characters in all, each counted as often as it is repeated. Shorten them.',
  address: ['Write an http(s) address.', 'Write the delivery address of the author.', 'Write the address of the configuration service.'],
  addressLength: 'An address has at most {limit} characters.',
  addressEncoding: 'Write the special characters of the address percent-encoded, e.g. "%20" for a space.',
  addressCredentials: [
    'Remove the user name and password from the address; others can read it.',
    'Write the address without a name, a password or a fragment.',
    'Use only the clone address: without a user name, a password, a query or a fragment. The token has a field of its own.',
  ],
  cloneAddress: [
    'Use the HTTPS clone address of the repository, for example https://git.example.com/team/site.git.',
    'Use the HTTPS clone address: over HTTP, others could read the access token in transit.',
    'Write the path of the clone address plainly, without "..".',
  ],
  hostName: 'Write a host name such as www.example.com, without "https://" and {_}.',
  codeType: 'The code source type is "github" or "byogit".',
  contentType: 'The content source type is "markup", "onedrive" or "google".',
  contentMember: 'A content source of the type "{type}" has no {member}.',
  googleFolder: 'Write the identifier of the folder at Google Drive.',
  suffix: 'A suffix begins with a dot and may have a query, e.g. ".html" or ".html?mode=plain".',
  publicPath: 'Write a public path such as /products, of letters, digits, "-", "_", "." and "/".',
  version: 'The only version is 1.',
  secretName: ['Write the name of a secret.', 'The name of the secret is "cm-byog".'],
  secretEmpty: [
    'Write the value of the secret.',
    'Write the value of the secret, as shown by build management.',
    'Paste the access token of the git vendor.',
  ],
  secretCharacters: ['A secret holds printable characters without spaces.', 'An access token holds printable characters without spaces.'],
  secretEnd: 'Write when the secret ends as a date and time, e.g. 2027-01-31T00:00:00Z.',
  ended: 'This end date has passed. Write a future one, or omit it.',
  valueOrHash: 'Send the value of a secret or its hash, not both.',
  repositoryName: [
    'Write the name of a repository or owner.',
    'Write the owner and the name of a repository.',
    'Specify the owner of the code repository.',
    'Specify the code repository of the site.',
    'Write the owner and the name of a repository, e.g. "wknd/site".',
    'Write the name of a repository of the organization.',
  ],
  branchName: ['Write the name of a branch, e.g. main.', 'This is not a valid name of a branch.'],
  nameRepository: 'Name the repository.',
  programNumber: 'Write the number of the program as in the address of the author: author-p<program>-e<environment>.',
  email: ['Write an e-mail address.', 'Invalid email address'],
  webhookSecret: 'Write whsec_ and 24 to 64 bytes in base64.',
  channelSecret: 'This was an e-mail subscription, which has no secret. Send one, or create a new subscription.',
  oneSite: 'Name at least one site.',
  oneKind: 'Name at least one kind of event.',
  language: 'Write a language such as "de" or "de-CH".',
  oneTitle: 'Write at least one title.',
  cdnText: 'The CDN needs this; write a string.',
  cdnType: 'The type of a CDN is {_}, not "{type}".',
  keyLifetime: 'An API key lives for at most {limit} seconds here; write {_} or less.',
  listedTwice: [
    'The user "{name}" is listed twice. Keep one with all roles.',
    'The site "{name}" is listed twice. List each site once.',
    'The check "{name}" is listed twice.',
    'The field "{name}" is listed twice.',
  ],
  groupRing: 'A group cannot contain itself: {path}. Remove one of them.',
  groupDepth: 'Groups are nested more than {limit} deep: {path}. Put the members into fewer groups.',
  profileMissing: 'The profile "{profile}" does not exist.{_}',
  codeMissing: 'A site needs a code source: send "code"{_}.',
  contentMissing: 'A site needs a content source: send "content"{_}.',
  deliveryAddress: 'Write the delivery address of {site}.',
  secretHeld: ['Omit secretId: site "{site}" holds the secret of this repository, which this site uses too.'],
  secretInProfile: 'Omit secretId: a profile cannot hold a secret. The first site of the repository holds it, and the others use it.',
  secretFirst: [
    'This is the first site of the repository {repository}: set "secretId": "{_}". Further sites use the same secret.',
    'No site of the organization "{_}" holds the secret of the external repository {repository}. {_}',
  ],
  codeAddress: 'The address of this repository is {url}, not "{_}". An external repository also needs a raw_url.',
  codeDiffers: '"{one}" differs from code.{_} "{other}". Use the same value, or only one of them.',
  nothingNamed: [
    'The body contains no part of the site. Send the parts to change.',
    'There is nothing to write.',
    'This field is missing.',
  ],
  editUnknownVariable: 'Unknown variable {variable}. Use {_}',
  editNoValue: ['{variable} has no value: the content root {_}', 'The site has no path mapping, so {variable} has no value.'],
  editNotObject: '{pointer} is not an object. Set it as a whole.',
  editPointer: 'Use a JSON pointer (RFC 6901) into the configuration of a site, e.g. /headers/~1**.',
  editParts: 'A rollout edits these parts of a site: {parts}.',
  propertyName: 'This is not a valid property name.',
  yaml: '{file}.yaml: {says}',
  invalid: ['Invalid {_}', 'Too {_}', 'Unrecognized {_}'],
};

export interface BrokenRule {
  readonly rule: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Which rule a sentence is of, and what it is about; undefined where it is of none. */
export function ruleOf(sentence: string): BrokenRule | undefined {
  // What people wrote is in it: no pattern takes long.
  if (sentence.length > LONGEST) return undefined;
  for (const [rule, patterns] of READERS) {
    for (const pattern of patterns) {
      const found = pattern.exec(sentence);
      if (found !== null)
        return { rule, data: Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, text]) => [name, plain(name, text)])) };
    }
  }
  return undefined;
}

const LONGEST = 500;

/** Lists without the words of English between their entries. */
function plain(name: string, text: string): string {
  return LISTS.has(name) ? text.replaceAll(/ (?:or|and|contains) /g, ', ').replaceAll(/\ban? (?=[a-z])/g, '') : text;
}

const LISTS: ReadonlySet<string> = new Set(['types', 'values', 'signs', 'path']);

/** What stands in a variable, where it is not any text. */
const SHAPES: Readonly<Record<string, string>> = {
  types: 'an? [a-z]+(?: or an? [a-z]+)*',
  values: '(?:"[^"]*"|true|false|null|-?[\\d.]+)(?: or (?:"[^"]*"|true|false|null|-?[\\d.]+))*',
  limit: '[\\d.,]+',
  length: '\\d+',
  over: '\\d+',
  count: '\\d+',
  signs: '"[^a-zA-Z]*(?:and "[^"]*")',
  file: '[a-z]+',
};

const READERS = Object.entries(RULES).map(([rule, texts]) => [rule, [texts].flat().map((text) => readerOf(text))] as const);

function readerOf(template: string): RegExp {
  const pieces = template.split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
    return piece === '_' ? '.*' : `(?<${piece}>${SHAPES[piece] ?? '.*?'})`;
  });
  return new RegExp(`^${pieces.join('')}$`, 's');
}
