/**
 * Limits on what a tenant may write, push, serve or request, which no deployment changes (others are settings). Each is
 * checked on writing and again on use, so that values stored before a limit existed do no harm (docs/contract.md 2.11).
 * docs/operations.md lists them with their reasons.
 */
export const LIMITS = {
  /** Entries of the audit trail that one call verifies. */
  verifiedEntries: 50_000,
  /** Verifications of an organization's audit trail that may wait for the running one. */
  verificationsWaiting: 4,
  /** Values in the body of a call, including nested ones: each is validated, sorted, serialized and compared. */
  bodyValues: 6000,
  /** Values and bytes of a document that is changed part by part: each change validates, sorts and compares it entirely. */
  documentValues: 10_000,
  documentBytes: 2 * 1024 * 1024,
  /** Levels of nesting in a body: it is traversed recursively. */
  bodyDepth: 64,
  /** Characters of the name of a property of a body: differences and errors repeat it for each value below. */
  bodyNameLength: 1000,
  /** Errors of a body that are reported individually. */
  reportedErrors: 100,
  /** Bytes of the body of a call that anyone may make, and characters of it that are stored. */
  publicBody: 4096,
  publicField: 256,
  /** Bytes of bodies from unauthenticated callers held at a time (a signature covers the entire body). */
  unknownBodies: 32 * 1024 * 1024,
  /**
   * Device authorizations started in 15 minutes from one address (for IPv6 its /64) and from one /48 of IPv6, and the total of open ones.
   */
  deviceAuthorizations: 100,
  startsOfNetwork: 400,
  openDeviceAuthorizations: 10_000,
  /** Wrong device codes in 15 minutes, by address and by person (RFC 8628, section 5.1). */
  codeGuesses: 20,
  /** Open challenges of one person in total, and for one organization; each requires reading a file. */
  challenges: 100,
  challengesOfOrg: 10,
  /**
   * Organizations that one person may look up at the code host in an hour, and files (challenges, and those of `?migrate=true`): the code
   * host limits the service's requests.
   */
  codeHostLookups: 20,
  codeHostFiles: 350,
  /** Bytes of the body of a token exchange, and characters of the token. */
  exchangeBody: 20_480,
  exchangedToken: 16_384,
  /** Levels of nested groups: they are resolved recursively. */
  groupDepth: 10,
  /** Patterns of `headers`: each is matched against every page that is served. */
  headerPatterns: 200,
  headerPatternLength: 250,
  /** Runs of `*` in a pattern: matching time grows with them. */
  headerPatternStars: 10,
  /** Characters of the headers of one pattern, and of all headers sent with a page. */
  headersLength: 66_560,
  headersSent: 66_560,
  /**
   * Total characters of a site's expressions for origins, each counted as often as it is repeated, and characters of an origin that
   * they are matched against.
   */
  originExpressions: 1000,
  originLength: 300,
  /** Globs in a list of included or excluded content paths, and characters of each: all are matched against each requested page. */
  pathGlobs: 100,
  pathGlobLength: 500,
  /** Mappings to one public path that are tried if the last one has no content: each is a request to the content source. */
  mappingsTried: 4,
  /** Characters of a path in a configuration, of an address, of a name in another system, and of other texts. */
  pathLength: 2000,
  addressLength: 2000,
  foreignName: 100,
  textLength: 10_000,
  /** Bytes of a list of sites in an answer. */
  listLength: 16_000_000,
  /** Lists of sites that are prepared concurrently, one at a time per organization, and those of an organization that may wait. */
  listsAtOnce: 16,
  listsWaiting: 20,
  /** Comparisons of versions that run concurrently, one at a time per organization, and those of an organization that may wait. */
  comparisonsAtOnce: 2,
  comparisonsWaiting: 10,
  /** Bytes of such answers that a node holds until they are sent; one organization gets a quarter. */
  answerBytes: 64 * 1024 * 1024,
  /** Bytes of authoring systems' answers that a node holds until they are sent; one caller gets a quarter. */
  proxiedBytes: 64 * 1024 * 1024,
  /** Bytes of the hosted service's answers that a node holds while it receives them; one organization gets a quarter. */
  hostedBytes: 128 * 1024 * 1024,
  /** Fields of a form. */
  formFields: 1000,
  /** Characters of a page's path: patterns and mappings are matched against it. */
  pagePath: 2000,
  /** Bytes of a page from its content source. */
  pageSize: 10 * 1024 * 1024,
  /** Pages and files processed concurrently: in total, for one organization and for one site, and the number that may wait. */
  pagesAtOnce: 256,
  pagesOfOrg: 32,
  pagesOfSite: 24,
  pagesWaiting: 2048,
  pagesOfOrgWaiting: 128,
  /** Characters of stored JSON whose parsed documents a process caches. */
  parsedDocuments: 8_000_000,
  /**
   * Bytes of pages and other large answers of the hosts that a node holds until they are sent, and the milliseconds that sending one may
   * take.
   */
  pageBytes: 64 * 1024 * 1024,
  pageSending: 60_000,
  /** Lines of `.hlxignore`, and characters of each: each is matched against every file and folder. */
  ignoreRules: 1000,
  ignoreRuleLength: 1000,
  /** Characters of all its lines, and wildcards (`*`, `?`, `[`) in them: they are compiled into one expression, which grows with each. */
  ignoreLength: 100_000,
  ignoreWildcards: 5000,
  /**
   * Milliseconds that matching them against the files of a branch may take: a single rule can run forever, on a processor that others need.
   */
  ignoreTime: 20_000,
  /** Characters of the path of a file in a repository, and of all paths of a branch: file lists contain them. */
  codePath: 1000,
  codePaths: 8_000_000,
  /** Bytes of git's output for a query (a list of about 15,000 branches); listings are counted instead. */
  gitOutput: 1024 * 1024,
  /** Bytes of memory of a git process: a few bytes of a repository can expand to gigabytes. */
  gitMemory: 2 * 1024 * 1024 * 1024,
  /** Concurrent reads of branches by git, and concurrent queries of code sources: each in total and for one organization. */
  branchReadsAtOnce: 8,
  branchReadsPerOrg: 2,
  codeSourceQueriesAtOnce: 32,
  codeSourceQueriesPerOrg: 8,
  /** Milliseconds that a query of a code source may take, however many requests it needs. */
  probeTime: 5000,
  /** Bytes of an external repository's answer about a branch, and of its list of files. */
  branchAnswer: 1024 * 1024,
  treeAnswer: 64 * 1024 * 1024,
  /** Concurrent calls of git vendors at build management that people wait for; those of one organization, and those of it that may wait. */
  vendorCalls: 12,
  vendorCallsOfOrg: 2,
  vendorCallsWaiting: 20,
  /** Unfinished events of an organization at build management. */
  eventsWaiting: 300,
  /** Webhooks whose events are received concurrently, one event of each; events of one webhook, and of all, that may wait. */
  webhooksAtOnce: 4,
  webhookEventsWaiting: 1000,
  allEventsWaiting: 4000,
  /** Answers with code that build management holds until they are sent, in files of the maximum size; one organization gets half. */
  codeAnswers: 4,
  /**
   * Open job streams of an organization and of one person, and milliseconds that one may last: each queries the storage at every change.
   */
  jobStreams: 50,
  jobStreamsOfPerson: 30,
  /** Streams of callers without a role on open sites: of an organization, and in total from one address. */
  jobStreamsOfStrangers: 5,
  jobStreamsOfNetwork: 2,
  jobStreamTime: 15 * 60_000,
  /**
   * Pushes from the code host: branches that are processed concurrently, each of a different owner; deliveries that may wait, of one owner
   * and in total.
   */
  pushesAtOnce: 4,
  pushesOfOwnerWaiting: 1000,
  pushesWaiting: 4000,
  /** Stored names and signatures of the code host's deliveries: two for each delivery. */
  rememberedDeliveries: 20_000,
  /** Concurrent DNS lookups, and milliseconds until one is abandoned: they use the same threads as file operations. */
  lookups: 2,
  lookupTime: 5000,
  /** Concurrent DNS lookups of the operator's partners, such as the identity provider: they have their own slots. */
  partnerLookups: 1,
  /** Branches of one event of a git vendor: the service is notified of each. */
  eventBranches: 1000,
  /** Approximate number of values in an event of a git vendor: its megabytes are parsed in one go. */
  eventValues: 500_000,
  /** Milliseconds that a connection may be idle while a request is answered. */
  silence: 120_000,
  /** Code syncs that run concurrently. */
  syncsAtOnce: 4,
  /** Times that the service may crash during a sync before that is abandoned. */
  syncAttempts: 2,
  /** Unexpired site tokens of a site or profile. */
  siteTokens: 100,
  /** Subscriptions of an organization, names of sites in one, and characters of an e-mail address. */
  subscriptions: 50,
  subscriptionSites: 100,
  mailAddressLength: 254,
  /** Open problems of an organization, its stored events, and the days for which these are stored. */
  openCauses: 1000,
  storedEvents: 1000,
  eventDays: 90,
  /** Deliveries of a subscription that are stored and shown. */
  storedDeliveries: 100,
  /** Messages to a subscription that may wait, and events in one message. */
  deliveriesWaiting: 1000,
  deliveryEvents: 1000,
  /** Messages that a node sends concurrently: in total and for one organization, and milliseconds and bytes of the answer to one. */
  deliveriesAtOnce: 8,
  deliveriesOfOrg: 2,
  deliveryTime: 10_000,
  deliveryAnswer: 65_536,
  /** Milliseconds for sending an e-mail, from resolving the mail server's name to its last answer. */
  mailTime: 30_000,
  /** Characters, tokens and depth of a project's `fstab.yaml` and `paths.json`. */
  projectFileLength: 65_536,
  projectFileTokens: 5000,
  projectFileDepth: 40,
  /**
   * Characters and tokens of query.yaml and sitemap.yaml, milliseconds for parsing one, and how many are parsed concurrently, for one
   * organization, and may wait.
   */
  siteYamlLength: 262_144,
  siteYamlTokens: 60_000,
  siteYamlTime: 10_000,
  siteYamlAtOnce: 2,
  siteYamlOfOrg: 1,
  siteYamlWaiting: 20,
  /** Characters of a site's findings, with shared values counted once; sites of an organization that are checked in one batch. */
  storedFindings: 65_536,
  checksAtOnce: 20,
  /** Repositories of an organization whose branch is compared with the served code at each check. */
  checkedRepositories: 50,
  /** Hosts of an organization whose certificates are read in one check, and milliseconds for reading one. */
  checkedHosts: 50,
  certificateTime: 5000,
  /** Sites, edits and waves of one rollout; unfinished and stored rollouts of an organization. */
  rolloutSites: 5000,
  rolloutEdits: 50,
  rolloutWaves: 10,
  openRollouts: 5,
  rolloutsKept: 50,
  /** Characters of the difference of one site in the preview of a rollout. */
  previewedDiff: 2000,
  /** Changes of an organization that are counted for the days in its list, newest first. */
  countedChanges: 20_000,
  /** Organizations that are listed for a person, and those that are searched for them. */
  ownOrgs: 100,
  ownOrgsSearched: 500,
  /** Waiting messages of an assistant that are not tool calls: of one share; in total 16 times as many. */
  assistantMessages: 20,
  /**
   * Calls of assistants that a node processes concurrently: in total, for one organization, and for one share (a person, or all API keys of
   * an organization); waiting calls (of one share; in total 16 times as many); and milliseconds that a call may wait and run.
   */
  assistantsAtOnce: 16,
  assistantCallsOfOrg: 12,
  assistantCalls: 4,
  assistantCallsWaiting: 4,
  assistantCallWait: 10_000,
  assistantCallTime: 90_000,
  /** Characters and values of a file from an assistant, characters of the input from which a plan is recomputed, and of an answer. */
  assistantFile: 100_000,
  assistantFileValues: 1000,
  assistantInput: 200_000,
  assistantAnswer: 4_000_000,
  /** Plans that wait to be applied: of one caller, of all API keys of an organization, and in total. */
  assistantPlans: 20,
  assistantPlansOfKeys: 100,
  openAssistantPlans: 1000,
} as const;
