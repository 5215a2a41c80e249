/** The credential with which someone signed in to the hosted service. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  session: 'a session',
  'api-key': 'an API key',
  ims: 'the sign-in of the authoring system',
};

function timeLeft(hours: number): string {
  if (hours < 1) return 'less than an hour';
  return hours < 48 ? `${Math.floor(hours)} h` : `${Math.floor(hours / 24)} days`;
}

/** Messages of the command line about a hosted service, and about the history of a site. */
export const hosted = {
  untrusted: (host: string, code: string) =>
    `This machine does not trust the certificate of ${host} (${code}). If your company's network issues it, set NODE_EXTRA_CA_CERTS to the file of its root certificate.`,
  throughProxy: ({ host, name, proxy, reason }: Readonly<Record<'host' | 'name' | 'proxy' | 'reason', string>>) =>
    `${host} was not reached: ${reason}. Requests to it go through the proxy ${proxy} of ${name}, unless NO_PROXY names its host.`,
  doctor: {
    service: (address: string, hosted: boolean) => `Service: ${address}${hosted ? ' (hosted by the vendor)' : ''}`,
    you: (who: string, kind: string | undefined, until: string, hours: number) =>
      `You: ${who}${kind === undefined ? '' : `, signed in by ${CREDENTIALS[kind] ?? 'a token'}`}, until ${until} (${timeLeft(hours)})`,
    key: (id: string, subject: string) => `the API key ${id} for ${subject}`,
    extension:
      'This token was issued to a browser extension. The hosted service may refuse writes with it. Sign in with repoless login instead.',
    organization: (name: string, admins: readonly string[]) =>
      `Organization ${name}: you may read it. Its administrators: ${admins.length === 0 ? 'none' : admins.join(', ')}`,
    noOrganization: (name: string, why: string | undefined) =>
      `Organization ${name}: you may not read it${why === undefined ? '' : ` (${why})`} With a role on single sites you can set these up.`,
    generation: (site: string, upgraded: boolean) =>
      `Site ${site}: ${upgraded ? 'the hosted service announces the newer addresses (api.aem.live)' : 'served at the current addresses'}`,
    noSite: (organization: string, site: string) => `Site ${organization}/${site}: not registered.`,
    siteRefused: (site: string, why: string, admins: readonly string[]) =>
      `Site ${site}: ${why}${admins.length === 0 ? '' : ` Who can help: ${admins.join(', ')}.`}`,
    site: (site: string, admins: readonly string[], configAdmins: readonly string[]) =>
      `Site ${site}: you may read its configuration. Administrators: ${admins.length === 0 ? 'none of its own' : admins.join(', ')}${configAdmins.length === 0 ? '' : `; configuration administrators: ${configAdmins.join(', ')}`}`,
    unadministered: (site: string) => `Site ${site}: no administrator is named, so its administration is open.`,
    keys: (keys: readonly string[]) => `API keys and when they end: ${keys.join(', ')}`,
    host: (address: string) => `${address} is the stored configuration.`,
    hostDiffers: (address: string, status: number | undefined) =>
      `${address} ${status === 200 ? 'differs from what is stored. After a change it usually follows within two minutes, at most in ten.' : `returns ${status ?? 'nothing'}.`}`,
    more: 'For more, add --organization <name>, and --site <name> for a site.',
  },
  history: {
    unusable: (folder: string, why: string) =>
      `The folder ${folder} can’t be used (${why}): changes are not recorded, and rollouts can’t be started. Make it readable and writable, or name another with --history.`,
    none: (title: string) => `${title} has no versions.`,
    version: ({
      version,
      created,
      user,
      name,
      elsewhere,
    }: Readonly<{
      version: number;
      created: string;
      user?: string | undefined;
      name?: string | undefined;
      elsewhere?: true | undefined;
    }>) =>
      `${version}  ${created}  ${[user, elsewhere && 'made elsewhere'].filter((part) => part !== undefined).join(', ')}${name === undefined ? '' : `  "${name}"`}`,
    more: (count: number) => `And ${count} more.`,
    last: 'The last one changed:',
  },
  undo: {
    first: (title: string, version: number) => `Version ${version} made ${title}. To remove the site, use plan and apply with --prune.`,
    overlaps: (version: number, places: readonly string[]) =>
      `The change of version ${version} cannot be taken out by itself: ${places.join(', ')} changed again since. Undo the later versions first.`,
    nothing: (version: number) => `Nothing of version ${version} is left to undo.`,
    would: (title: string, version: number) => `Undoing version ${version} changes ${title}:`,
    done: (title: string, version: number) => `The change of version ${version} was taken out of ${title}:`,
    confirm: 'Nothing was changed. If this is what you want, run the command again with --yes.',
  },
};

/** What only people can bring from one service to the other, by its kind in the file. */
const LEFT = {
  secret: (name: string) => `the value of the secret ${name}: enter it again`,
  'api-key': (name: string) => `the API key ${name}: create a new one`,
  'site-token': (name: string) => `the site token ${name}: create a new one`,
  cdn: (name: string) => `the production CDN except its host, because it has credentials (${name}): enter it again`,
  'unread-keys': () => 'its API keys: you don’t have permission to list them',
  'unknown-members': (names: string) => `members that only the hosted service has: ${names}`,
  'no-such-part': (name: string) => `${name}: the hosted service has no such part`,
} as const;
export type LeftKind = keyof typeof LEFT;

type Counts = Readonly<Record<'created' | 'completed' | 'replaced' | 'unchanged' | 'differs' | 'refused' | 'stopped', number>>;

/** Messages of the command line about a transfer from one service to another. */
export const transfer = {
  sameName: (name: string) => `The name "${name}" is used twice.`,
  written: (path: string, sites: number, profiles: number) =>
    `${path}: the organization, ${counted(profiles, 'profile')} and ${counted(sites, 'site')}.`,
  noTarget: '--replace is for a transfer. Specify the service with --to <address>.',
  noReplaced: (name: string) =>
    `The file has no "${name}" to replace. Specify the name of a site, profiles/<name> for a profile, or organization.`,
  organizationMissing: (organization: string, hosted: boolean) =>
    hosted
      ? `The organization ${organization} does not exist there, or you may not read it. Only the vendor creates organizations on the hosted service.`
      : `The organization ${organization} is not claimed there, or you have no role in it. Claim it first: repoless can transfer its contents, but not prove that it is yours.`,
  unread: (path: string, why: string) => `Couldn’t read ${path}: ${why}`,
  /** `would`: before anything is written. */
  states: {
    created: { would: 'create', done: 'created' },
    completed: { would: 'complete', done: 'completed' },
    replaced: { would: 'replace', done: 'replaced' },
    unchanged: { would: 'in sync', done: 'unchanged' },
    differs: { would: 'differs', done: 'differs' },
    refused: { would: 'refused', done: 'refused' },
    stopped: { would: 'not tested', done: 'not started' },
  },
  differs: (name: string, flag: string) =>
    `${name} exists with other values, and is left unchanged. If the file is right, add --replace ${flag}.`,
  organizationDiffers:
    'People, groups or settings have other values there, which are left unchanged; missing ones are added. If the file is right, add --replace organization.',
  stays: (parts: readonly string[]) => `Exists only there, and is left unchanged: ${parts.join(', ')}`,
  partly: (parts: readonly string[], why: string) => `Stored except ${parts.join(', ')}: ${why}`,
  profileFirst: (profile: string) => `It extends the profile ${profile}, which was not transferred.`,
  rootTwice: (root: string, other: string) =>
    `The content root ${root} already belongs to ${other} in this file. A content root can belong to only one site.`,
  notTried: 'Tested as if everything before it in the file had been transferred.',
  progress: (done: number, total: number) => `${done} of ${total}`,
  left: 'Not transferred:',
  leftLine: (of: string, kind: LeftKind, name: string) => `${of}: ${LEFT[kind](name)}`,
  always: 'Versions, the audit trail, stored checks, rollouts and subscriptions stay at the old service.',
  nothing: 'Nothing to do. Everything in the file exists there.',
  summary: ({ created, completed, replaced, unchanged, differs, refused, stopped }: Counts, isPlan: boolean) =>
    [
      `${created} ${isPlan ? 'to create' : 'created'}`,
      `${completed} ${isPlan ? 'to complete' : 'completed'}`,
      ...(replaced === 0 ? [] : [`${replaced} ${isPlan ? 'to replace' : 'replaced'}`]),
      `${unchanged} unchanged`,
      ...(differs === 0 ? [] : [`${differs} that ${differs === 1 ? 'differs' : 'differ'}`]),
      ...(refused === 0 ? [] : [`${refused} refused`]),
      ...(stopped === 0 ? [] : [`${stopped} not started`]),
    ].join(', ') + '.',
  again: 'Run the same command again for the rest. Nothing is written twice.',
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
