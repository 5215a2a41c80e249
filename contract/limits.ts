/**
 * Bounds of what a tenant may write, push, serve or ask for, that no deployment changes (those that it may change are
 * settings). Each is checked where something is written, and again where it is used: what was stored before a bound was
 * drawn does no harm either (docs/contract.md 2.11). docs/operations.md shows them with their reasons.
 */
export const LIMITS = {
  /** Entries of the audit trail that one call verifies. */
  verifiedEntries: 50_000,
  /** Verifications of an organization's audit trail that wait for the running one. */
  verificationsWaiting: 4,
  /** Values in the body of a call, those within others included: each is checked, sorted, printed and compared. */
  bodyValues: 6000,
  /** Values and bytes of a document that is changed part by part: it is checked, sorted and compared whole each time. */
  documentValues: 10_000,
  documentBytes: 2 * 1024 * 1024,
  /** Levels of a body: it is walked recursively. */
  bodyDepth: 64,
  /** Characters of the name of a property of a body: differences and errors repeat it for each value below. */
  bodyNameLength: 1000,
  /** Errors of a body that are reported individually. */
  toldErrors: 100,
  /** Bytes of the body of a call that anybody may make, and characters that are stored of it. */
  publicBody: 4096,
  publicField: 256,
  /** Bytes of bodies of unauthenticated callers (a signature covers the whole body) held at a time. */
  unknownBodies: 32 * 1024 * 1024,
  /** Device authorizations started from one address (for IPv6 its /64) and from one /48 of IPv6 in 15 minutes, and all open ones. */
  beginnings: 100,
  beginningsOfNetwork: 400,
  openBeginnings: 10_000,
  /** Wrong codes of devices in 15 minutes, by address and by person (RFC 8628, section 5.1). */
  codeGuesses: 20,
  /** Challenges that one person has at a time, for whatever organizations, and of them for one; each is a file to be read. */
  challenges: 100,
  challengesOfOrg: 10,
  /** Organizations that the code host is asked for by one person in an hour, and files (challenges, and those of `?migrate=true`): it answers the service so often. */
  codeHostLooks: 20,
  codeHostFiles: 350,
  /** Bytes of the body by which a token is exchanged, and characters of the token. */
  exchangeBody: 20_480,
  exchangedToken: 16_384,
  /** Levels of groups within groups: they are resolved recursively. */
  groupDepth: 10,
  /** Patterns of `headers`: each is tried on every page that is served. */
  headerPatterns: 200,
  headerPatternLength: 250,
  /** Runs of `*` in a pattern: its time grows with them. */
  headerPatternStars: 10,
  /** Characters of the headers of one pattern, and of all that are sent with a page. */
  headersLength: 66_560,
  headersSent: 66_560,
  /**
   * Characters of the expressions by which a site names origins, each as often as it is repeated, and of an origin that they are tried
   * on.
   */
  originExpressions: 1000,
  originLength: 300,
  /** Globs of a list of included or excluded content paths, and characters of one: all are tried on a page that is asked for. */
  pathGlobs: 100,
  pathGlobLength: 500,
  /** Mappings to one public path that are tried where the content of the last is not there: each is a request to the content source. */
  mappingsTried: 4,
  /** Characters of a path in a configuration, of an address, of a name that is not ours, and of other texts. */
  pathLength: 2000,
  addressLength: 2000,
  foreignName: 100,
  textLength: 10_000,
  /** Bytes of a list of sites, as it is sent. */
  listLength: 16_000_000,
  /** Lists of sites that are made at once, one of them for an organization, and those of it that wait. */
  listsAtOnce: 16,
  listsWaiting: 20,
  /** Comparisons of versions that are made at once, one of them for an organization, and those of it that wait. */
  comparisonsAtOnce: 2,
  comparisonsWaiting: 10,
  /** Bytes of such answers on a node until they are sent; one organization gets a quarter. */
  answerBytes: 64 * 1024 * 1024,
  /** Bytes of answers of authoring systems on a node until they are sent; one caller gets a quarter. */
  proxiedBytes: 64 * 1024 * 1024,
  /** Fields of a form. */
  formFields: 1000,
  /** Characters of the path of a page: patterns and mappings are tried on it. */
  pagePath: 2000,
  /** Bytes of a page, as its content source sends it. */
  pageSize: 10 * 1024 * 1024,
  /** Pages and files that are worked on at once, of them for one organization and for one site, and those that wait beside them. */
  pagesAtOnce: 256,
  pagesOfOrg: 32,
  pagesOfSite: 24,
  pagesWaiting: 2048,
  pagesOfOrgWaiting: 128,
  /** Characters of stored JSON whose documents a process remembers. */
  parsedDocuments: 8_000_000,
  /** Bytes of pages, and of other large answers of the hosts, on a node until they are sent, and the milliseconds that sending one may take. */
  pageBytes: 64 * 1024 * 1024,
  pageSending: 60_000,
  /** Lines of `.hlxignore`, and characters of one: each is tried on every file and folder. */
  ignoreRules: 1000,
  ignoreRuleLength: 1000,
  /** Characters of all of them, and wildcards (`*`, `?`, `[`) among these: each makes the one expression that they become longer. */
  ignoreLength: 100_000,
  ignoreWildcards: 5000,
  /** Milliseconds that they may take on the files of a branch: one rule alone can take for ever, on a processor that others need. */
  ignoreTime: 20_000,
  /** Characters of the path of a file of a repository, and of all paths of a branch: lists of files hold them. */
  codePath: 1000,
  codePaths: 8_000_000,
  /** Bytes that git may print where it is asked a question (which branches there are: about 15,000); listings are counted instead. */
  gitOutput: 1024 * 1024,
  /** Bytes of memory of a git process: a few bytes of a repository can expand to gigabytes. */
  gitMemory: 2 * 1024 * 1024 * 1024,
  /** Looks at branches by git, and questions to code sources, at once; of them for one organization. */
  looksAtOnce: 8,
  looksOfOrg: 2,
  questionsAtOnce: 32,
  questionsOfOrg: 8,
  /** Milliseconds of a question to a code source, however many requests it takes. */
  questionTime: 5000,
  /** Bytes of what an external repository says of a branch, and of the list of its files. */
  branchAnswer: 1024 * 1024,
  treeAnswer: 64 * 1024 * 1024,
  /** Concurrent calls of git vendors that people wait for, at build management; those of one organization, and its waiting calls. */
  vendorCalls: 12,
  vendorCallsOfOrg: 2,
  vendorCallsWaiting: 20,
  /** Events of an organization at build management that are not at their end. */
  eventsWaiting: 300,
  /** Webhooks whose events are received at once, one event of each; events of one, and of all, that wait for that. */
  webhooksAtOnce: 4,
  webhookEventsWaiting: 1000,
  allEventsWaiting: 4000,
  /** Answers with code at build management until they are sent, in files of the maximum size; one organization gets half. */
  codeAnswers: 4,
  /** Open streams of jobs of an organization, of them of one person, and milliseconds of one: each asks the storage at each change. */
  jobStreams: 50,
  jobStreamsOfPerson: 30,
  /** Streams of callers without a role on open sites: of an organization, and of one address in total. */
  jobStreamsOfStrangers: 5,
  jobStreamsOfNetwork: 2,
  jobStreamTime: 15 * 60_000,
  /** Pushes that the code host tells of: branches that are worked on at once, each of another owner; deliveries that wait, of one owner and of all. */
  pushesAtOnce: 4,
  pushesOfOwnerWaiting: 1000,
  pushesWaiting: 4000,
  /** Names and signatures of deliveries of the code host that are remembered: two for each. */
  rememberedDeliveries: 20_000,
  /** Names that are resolved at once, and milliseconds until one that was not is given up: the threads for it are those of files. */
  lookups: 2,
  /** The same for the operator's partners, such as the identity provider, which have slots of their own. */
  partnerLookups: 1,
  lookupTime: 5000,
  /** Branches of one event of a git vendor: the service is notified of each. */
  eventBranches: 1000,
  /** Values, about, of an event of a git vendor: its megabytes are parsed at once. */
  eventValues: 500_000,
  /** Milliseconds that a connection may be silent while a request is answered. */
  silence: 120_000,
  /** Code syncs that are worked on at once. */
  syncsAtOnce: 4,
  /** Times that the service may end without an order during a sync before that is given up. */
  syncAttempts: 2,
  /** Site tokens of a site or a profile that have not ended. */
  siteTokens: 100,
  /** Subscriptions of an organization, names of sites in one, and characters of an e-mail address. */
  subscriptions: 50,
  subscriptionSites: 100,
  mailAddressLength: 254,
  /** Open problems of an organization, its stored events, and the days that these are stored. */
  openCauses: 1000,
  eventsKept: 1000,
  eventDays: 90,
  /** Deliveries of a subscription that are kept and shown. */
  deliveriesKept: 100,
  /** Messages to a subscription that wait at a time, and events that one of them tells of. */
  deliveriesWaiting: 1000,
  deliveryEvents: 1000,
  /** Messages that are sent at once by a node, of them for one organization, and milliseconds and bytes of an answer to one. */
  deliveriesAtOnce: 8,
  deliveriesOfOrg: 2,
  deliveryTime: 10_000,
  deliveryAnswer: 65_536,
  /** Milliseconds of sending an e-mail, from the look-up of the mail server to its last answer. */
  mailTime: 30_000,
  /** `fstab.yaml` and `paths.json` of a project. */
  projectFileLength: 65_536,
  projectFileTokens: 5000,
  projectFileDepth: 40,
  /** Characters and tokens of query.yaml and sitemap.yaml, milliseconds of reading one, and how many are read at once, of them for one organization, and wait. */
  siteYamlLength: 262_144,
  siteYamlTokens: 60_000,
  siteYamlTime: 10_000,
  siteYamlAtOnce: 2,
  siteYamlOfOrg: 1,
  siteYamlWaiting: 20,
  /** Characters of the findings of a site, with shared values counted once; sites of an organization that are checked at a time. */
  keptFindings: 65_536,
  checksAtOnce: 20,
  /** Of an organization, whose branch is compared with what is served at each check. */
  checkedRepositories: 50,
  /** Hosts of an organization whose certificates are looked at in one check, and milliseconds of a look. */
  checkedHosts: 50,
  certificateTime: 5000,
  /** Sites of one rollout, its edits and its waves; rollouts of an organization that did not end, and those that are kept. */
  rolloutSites: 5000,
  rolloutEdits: 50,
  rolloutWaves: 10,
  openRollouts: 5,
  rolloutsKept: 50,
  /** Characters of the difference of one site in the preview of a rollout. */
  previewedDiff: 2000,
  /** Changes of an organization that are counted for the days of its list, the newest first. */
  countedChanges: 20_000,
  /** Organizations that are listed for a person, and those that are searched for it. */
  ownOrgs: 100,
  ownOrgsLooked: 500,
  /** Messages of an assistant that are no calls of tools and wait for their turn: of one share; of all 16 times as many. */
  assistantMessages: 20,
  /**
   * Calls of assistants that are worked on at once by a node, of them for one organization, and for one share (a person, or all API keys of
   * an organization), calls that wait for their turn (of one share; of all 16 times as many), and milliseconds that one waits and that one takes.
   */
  assistantsAtOnce: 16,
  assistantCallsOfOrg: 12,
  assistantCalls: 4,
  assistantCallsWaiting: 4,
  assistantCallWait: 10_000,
  assistantCallTime: 90_000,
  /** Characters and values of a file that an assistant passes, characters of what a plan is made again from, and of an answer. */
  assistantFile: 100_000,
  assistantFileValues: 1000,
  assistantInput: 200_000,
  assistantAnswer: 4_000_000,
  /** Plans of one caller that wait to be applied, of all API keys of an organization, and of all callers. */
  assistantPlans: 20,
  assistantPlansOfKeys: 100,
  openAssistantPlans: 1000,
} as const;
