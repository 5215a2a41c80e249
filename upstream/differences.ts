/** How a call differs on the hosted service, as users read it in docs/hosted-service.md. `reads` and `writes`: all others. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  reads: 'the same',
  writes: 'the same; sent as the smallest write after reading again',
  parts: 'the same; one part is one write. The first administrators of a site get `requireAuth: auto` with them',
  putSite:
    'a new site is put whole; of one that is there, the part that changed is sent, several as one document that carries everything else along, or part by part where the site has keys or secrets. A warning names it if no administrator is given, or if somebody else wrote in between',
  postSite: 'replaced whole, but for secrets, tokens and API keys, which are carried along; `?restoreVersion` is passed on',
  deleteProfile: 'the same: the sites are read for it; in an organization of more than 40 it is removed, with a warning',
  deleteSite:
    'the site, its versions, its keys and its secrets are gone for good; what went through the bridge is kept as its versions, and can be restored without keys, secrets, and credentials of a CDN',
  listSites:
    'one request for all. Where the content of a site is, its own configuration alone says: the service before the hosted one reads up to 40 sites for it that nobody has read lately, the command line none; `isUnread` says of which that is not known. Whoever has a role on single sites only is refused, and names the sites instead',
  getAggregate: 'the same; for the role `config` the hosted service leaves parts out',
  listVersions: 'names the author of what went through the bridge; others are shown as made elsewhere',
  getVersion: 'the same',
  setSecret: 'the value is required; an expiry and a description are not kept there, with a warning',
  generateSecret: 'the same',
  createApiKey:
    'asked at `admin.hlx.page`, which accepts an expiry; where a site uses the newer addresses, the key is registered in `access.admin.apiKeyId`',
  addOrgUser: 'a person who is there already is refused; the hosted service would add them twice',
  checkCode:
    'what the code host shows to everybody; a private repository is `unchecked`, for the hosted service reads it by the vendor’s app, and so is an external one',
  getJob: 'the list, and the details of the newest job; about a week of history. Where the site has none, those of its repository',
  getJobDetails: 'as the job; which files it changed is not told',
  stopJob: 'the same',
  getCode: 'the repository of the site; of its branches `main`, once it was synchronised',
  startSync: 'the same for repositories of the code host; an external one is synchronised by Cloud Manager',
  putSiteQueryYaml:
    'created or replaced, as it is there or not; refused with the words of the hosted service on a site that is not the primary one of its content',
  putSiteSitemapYaml: 'as query.yaml',
  profile: 'the same; for an API key it says what the key claims: whether it is registered shows in the first call',
  startRollout:
    'at most 300 sites, and 4,000,000 characters of what they had and have, changed here with the token of whoever ordered it, which is in memory only: three reads and one write each. It stops before the sign-in ends; where the program ends, it continues when the same person calls again, or somebody resumes it. Between waves the changed sites are checked with the same token: what is stored, the last sync, and the files of the code; not what the hosts serve as `config.json`, which follows in minutes. A review is held to for edits; a profile is compared with what was read at the start, and one with the credentials of a CDN is refused, for they would be stored',
  listRolloutSites: 'the same',
  stopRollout: 'the same',
  resumeRollout: 'the same; also takes over from another program',
  undoRollout: 'the same',
  getService: 'answered by the bridge: `hosted` has the address of the hosted service, `features` what is available',
  getOrgChecks:
    'what people found, until a site is written by anybody, and what a check of all sites found; the changes of a week are those that went through the bridge, and syncs are not counted',
  getLog: 'what went through the bridge; the log of the hosted service says that something changed, and not what',
  getSiteLog: 'as the log of the organization',
  verifyLog:
    'what went through a service before the hosted one; the command line keeps changes in files, and refuses it with `NOT_OFFERED`',
  startOrgCheck:
    'each site is read with the token of whoever starts it, which is in memory only, and checked as between the waves of a rollout; it ends before the sign-in does',
  putSiteCheck: 'kept by the bridge',
  listOwnOrgs: 'the organization that an API key names; the hosted service has no such list for people',
  putOrg: 'changes one that is there; only the vendor creates organizations',
};
