/** How a call differs on the hosted service, as users read it in docs/hosted-service.md. `reads`, `writes` and `parts` apply to calls without an entry of their own. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  reads: 'the same',
  writes: 'the same; sent as the smallest write after reading again',
  parts: 'the same; one part is one write. The first administrators of a site get `requireAuth: auto` with them',
  putSite:
    'a new site is sent as one document. Of an existing site, only the changed part is sent; several changed parts as one document with everything else, or part by part if the site has keys or secrets. The response has a warning if no administrator is given, or if the site was changed concurrently',
  postSite: 'replaced completely, except for secrets, tokens and API keys, which are preserved; `?restoreVersion` is forwarded',
  deleteProfile: 'the same: the sites are read first; with more than 40 sites, the profile is removed unchecked, with a warning',
  deleteSite:
    'permanently removes the site, its versions, keys and secrets; the versions written through the bridge are retained and can be restored, without keys, secrets and CDN credentials',
  listSites:
    'one request for all sites. Only a site’s own configuration contains its content source: the service in front of the hosted one reads up to 40 sites for it that were not read recently, the command line none; `isUnread` marks sites whose content source is unknown. Callers with roles on single sites only are refused and must name the sites instead',
  getAggregate: 'the same; for the role `config` the hosted service omits parts',
  listVersions: 'names the author of versions written through the bridge; others are shown as created elsewhere',
  getVersion: 'the same',
  setSecret: 'the value is required; an expiry date and a description are not stored there, which a warning reports',
  generateSecret: 'the same',
  createApiKey:
    'requested at `admin.hlx.page`, which accepts an expiry date; if a site uses the newer addresses, the key is registered in `access.admin.apiKeyId`',
  addOrgUser: 'an existing user is refused; the hosted service would add them twice',
  checkCode:
    'checks what the code host shows publicly; private repositories, which the hosted service reads through the vendor’s app, and external ones are `unchecked`',
  getJob: 'the list, and the details of the newest job; about a week of history. If the site has no jobs, those of its repository',
  getJobDetails: 'as the job, without the files that it changed',
  stopJob: 'the same',
  getCode: 'the repository of the site; of its branches only `main`, once it is synchronized',
  startSync: 'the same for repositories of the code host; an external one is synchronized by Cloud Manager',
  putSiteQueryYaml:
    'created or replaced; on a site that is not the primary one of its content, refused with the message of the hosted service',
  putSiteSitemapYaml: 'as `query.yaml`',
  profile: 'the same; for an API key, shows what the key claims; only the first other call shows whether the key is registered',
  startRollout:
    'at most 300 sites, and 4,000,000 characters of their previous and new state, with three reads and one write each, changed with the token of the person who started the rollout, which is in memory only. The rollout stops before the sign-in expires; after a restart of the program, it continues when the same person sends a request, or someone resumes it. Between waves the changed sites are checked with the same token: the stored configuration, the last sync and the files of the code, but not the served `config.json`, which follows within minutes. Edits are applied only as reviewed; a profile is compared with what was read at the start, and one with CDN credentials is refused, because they would be stored',
  listRolloutSites: 'the same',
  stopRollout: 'the same',
  resumeRollout: 'the same; also takes over from another program',
  undoRollout: 'the same',
  getService: 'answered by the bridge: `hosted` has the address of the hosted service, `features` what is available',
  getOrgChecks:
    'the findings of people, until the site is written, and of checks of all sites; the changes of a week are those made through the bridge, and syncs are not counted',
  getLog: 'changes made through the bridge; the log of the hosted service shows that something changed, but not what',
  getSiteLog: 'as the log of the organization',
  verifyLog:
    'changes made through a service in front of the hosted one; the command line stores changes in files and refuses this call with `NOT_OFFERED`',
  startOrgCheck:
    'each site is read with the token of the person who starts the check, which is in memory only, and checked as between the waves of a rollout; the check ends before the sign-in expires',
  putSiteCheck: 'stored by the bridge',
  listOwnOrgs: 'the organization that an API key names; the hosted service has no such list for people',
  putOrg: 'changes an existing organization; only the vendor creates organizations',
};
