import type { ErrorCode, Problem } from './errors.ts';
import type { Refusal } from './refusal.ts';

/**
 * The rules that single values can break: the name of each, and its sentence with variables in braces (`{_…}`: ignored). A schema has room
 * only for the sentence, so rule and data are parsed from it: here, by the service for `errors` of a problem document, and by the extension
 * for its own checks. core/messages has the sentence in the reader's language.
 */
export const RULES: Readonly<Record<string, string | readonly string[]>> = {
  type: 'Write {types} here.',
  requiredType: 'This is required; write {types}.',
  values: ['Write {values} here.', 'The type of a channel is {values}.', 'An event is {values}.'],
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
    'Write the path of the address plainly: without {_}',
  ],
  hostName: ['Write a host name such as www.example.com, without "https://" and {_}.', 'Write the host name of an author.'],
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
  branchName: ['Write the name of a branch, e.g. main.', 'Write the name of a branch.', 'This is not a valid name of a branch.'],
  nameRepository: 'Name the repository.',
  programNumber: 'Write the number of the program as in the address of the author: author-p<program>-e<environment>.',
  email: ['Write an e-mail address.', 'Invalid email address'],
  webhookSecret: 'Write whsec_ and 24 to 64 bytes in base64.',
  channelSecret: 'This was an e-mail subscription, which has no secret. Send one, or create a new subscription.',
  oneSite: 'Name at least one site.',
  oneUser: 'Write at least one user.',
  oneRole: 'Specify at least one role.',
  oneKind: 'Name at least one kind of event.',
  language: 'Write a language such as "de" or "de-CH".',
  oneTitle: 'Write at least one title.',
  cdnText: 'The CDN needs this; write a string.',
  cdnType: 'The type of a CDN is {_}, not "{type}".',
  wholeSeconds: 'Write whole seconds.',
  keyMinimum: 'A key is valid for at least {limit} seconds.',
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
  codeMissing: ['A site needs a code source: send "code"{_}.', 'A site on the hosted service needs its own "code".'],
  contentMissing: ['A site needs a content source: send "content"{_}.', 'A site on the hosted service needs its own "content".'],
  deliveryAddress: 'Write the delivery address of {site}.',
  secretHeld: ['Omit secretId: site "{site}" holds the secret of this repository, which this site uses too.'],
  secretInProfile: 'Omit secretId: a profile cannot hold a secret. The first site of the repository holds it, and the others use it.',
  secretFirst: [
    'This is the first site of the repository {repository}: set "secretId": "{_}". Further sites use the same secret.',
    'No site of the organization "{_}" holds the secret of the external repository {repository}. {_}',
  ],
  codeAddress: 'The address of this repository is {url}, not "{_}". An external repository also needs a raw_url.',
  codeDiffers: '"{one}" differs from code.{_} "{other}". Use the same value, or only one of them.',
  noBody: [
    'This call takes no body. Omit it.',
    'A version is restored without a body. Omit either the body or restoreVersion.',
    'A site is migrated without a body. Omit either the body or migrate.',
  ],
  queryUnknown: 'This call does not accept "{name}". Omit it.',
  oddText: '{_} has the character U+0000, or half of a character. Remove it.',
  tooLong: [
    'A file has at most {limit} characters.',
    'A version name has at most {limit} characters.',
    'A profile name has at most {limit} characters.',
  ],
  formFields: 'The form has {count} fields; the limit is {limit}.',
  listTooLong: 'The list has more than {limit} bytes. Request it in pages: {_}',
  notForwarded: [
    'Only the fields of createPage are forwarded.',
    'Only properties (./name, ./name@Delete, ./name@TypeHint) are forwarded.',
    'The only operation forwarded is {_}',
    'This value is not forwarded: {_}',
    'This field is sent twice.',
  ],
  identifier: [
    'A repository is identified by its number.',
    'Use the program and the number of a repository.',
    'Use the identifier of a delivery.',
    'This is not the address of a webhook.',
    'Write the id of an event.',
    'Write the number of a version.',
    'The identifier of {_}',
    'A job is named {_}',
    'This is not the identifier of a check.',
  ],
  time: ['Write a number with s, m, h or d, e.g. 15m.', 'Write a time like {_}'],
  exclusive: [
    'Write "since", or "from" and "to", not both.',
    'A rollout has "edits", or a "profile" with its "config". Send one of them.',
    'A site is created from its repository or from a version, not from both. Omit "migrate" or "restoreVersion".',
    '?migrate=true keeps the parts that the repository does not name. Omit "replace".',
  ],
  together: [
    '"profile" names the profile, and "config" is its new configuration. Send both, or neither.',
    '"owner" and "repo" name the repository of ?migrate=true. Send that too, or omit them.',
  ],
  postReplaces: 'POST replaces a site completely. PUT keeps the parts that the body does not name.',
  waveSize: 'Write a number of sites, or a share such as "10%".',
  lastWave: 'The last wave must contain all sites. End the list with "100%".',
  profileSites: 'The sites of a profile are those that extend it. Omit "sites".',
  editUrl: 'The page behind an address of the editor is not looked up here: write auto, or omit it.',
  technicalAccount: 'Write the identifier of the technical account, or omit it.',
  versionAhead: 'The site has version {version}, and no newer one.',
  findingsLength: 'The findings have {count} characters; {limit} are stored.',
  oneMessage: 'Send one message of JSON-RPC 2.0, not a batch.',
  /** Reported by the service itself, with the code source's answer: missing, refused or found (in another state). */
  repository: [],
  nothingNamed: [
    'The body contains no part of the site. Send the parts to change.',
    'There is nothing to write.',
    'This field is missing.',
  ],
  editUnknownVariable: 'Unknown variable {variable}. Use {_}',
  editNoValue: ['{variable} has no value: the content root {_}', 'The site has no path mapping, so {variable} has no value.'],
  editNotList: '{pointer} is not a list. Set the value instead.',
  editNotObject: '{pointer} is not an object. Set it as a whole.',
  editPointer: 'Use a JSON pointer (RFC 6901) into the configuration of a site, e.g. /headers/~1**.',
  editParts: 'A rollout edits these parts of a site: {parts}.',
  propertyName: 'This is not a valid property name.',
  yaml: '{file}.yaml: {says}',
  hosted: 'The hosted service says: {says}.',
  invalid: ['Invalid {_}', 'Too {_}', 'Unrecognized {_}'],
};

export interface BrokenRule {
  readonly rule: string;
  readonly data: Readonly<Record<string, string>>;
}

/** A refusal as in a problem document: a sentence in English, and for programs its code, its data, and the rules that the errors break. */
export function refusalMembers({ code, detail, message, errors, data }: Refusal): Pick<Problem, 'code' | 'detail' | 'errors' | 'data'> {
  const sentence = detail ?? message;
  // An error without a location in the body is a separate rule.
  const broken = errors === undefined && data === undefined && RULED.has(code) ? ruleOf(sentence) : undefined;
  const members = broken === undefined ? data : { ...broken.data, rule: broken.rule };
  return {
    detail: sentence,
    code,
    ...(errors !== undefined && { errors: errors.map((error) => ({ ...error, ...ruleOf(error.detail) })) }),
    ...(members !== undefined && { data: { ...members } }),
  };
}

const RULED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['BODY_INVALID', 'QUERY_INVALID', 'NAME_INVALID', 'HOST_LABEL_TOO_LONG']);

/** The rule of a sentence, and its data; undefined if it belongs to none. */
export function ruleOf(sentence: string): BrokenRule | undefined {
  return readRule(sentence);
}

/** Reads the first of these sentences that another one is, with its data. Sentences as in `RULES`; more specific ones come first. */
export function sentenceReader(
  sentences: Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>,
): (sentence: string) => BrokenRule | undefined {
  const readers = Object.entries(sentences).map(
    ([rule, texts]) => [rule, (typeof texts === 'string' ? [texts] : Object.values(texts)).map((text) => readerOf(text))] as const,
  );
  return (sentence) => {
    // Sentences contain text that people wrote: this limits the time of matching.
    if (sentence.length > LONGEST) return undefined;
    for (const [rule, patterns] of readers) {
      for (const pattern of patterns) {
        const found = pattern.exec(sentence);
        if (found !== null)
          return { rule, data: Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, text]) => [name, plain(name, text)])) };
      }
    }
    return undefined;
  };
}

const LONGEST = 500;

/** Lists without the English words between their entries. */
function plain(name: string, text: string): string {
  return LISTS.has(name) ? text.replaceAll(/,? (?:or|and|contains) /g, ', ').replaceAll(/\ban? (?=[a-z])/g, '') : text;
}

const LISTS: ReadonlySet<string> = new Set(['types', 'values', 'signs', 'path', 'files']);

/** The pattern of a variable, if it is not arbitrary text. */
const SHAPES: Readonly<Record<string, string>> = {
  types: 'an? [a-z]+(?: or an? [a-z]+)*',
  values: '(?:"[^"]*"|true|false|null|-?[\\d.]+)(?:(?: or |, )(?:"[^"]*"|true|false|null|-?[\\d.]+))*',
  limit: '[\\d.,]+',
  length: '\\d+',
  over: '\\d+',
  count: '\\d+',
  status: '\\d{3}',
  seconds: '\\d+',
  signs: '"[^a-zA-Z]*(?:and "[^"]*")',
  file: '[a-z]+',
  place: '\\S+',
};

const readRule = sentenceReader(RULES);

function readerOf(template: string): RegExp {
  const pieces = template.split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
    return piece.startsWith('_') ? '.*' : `(?<${piece}>${SHAPES[piece] ?? '.*?'})`;
  });
  return new RegExp(`^${pieces.join('')}$`, 's');
}
