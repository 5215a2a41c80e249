/** The credential with which someone signed in to the hosted service. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  session: 'a session',
  'api-key': 'an API key',
  ims: 'the sign-in of the authoring system',
};

/** Messages of the command line about a hosted service, and about the history of a site. */
export const hosted = {
  doctor: {
    service: (address: string, hosted: boolean) => `Service: ${address}${hosted ? ' (hosted by the vendor)' : ''}`,
    you: (who: string, kind: string | undefined, until: string, hours: number) =>
      `You: ${who}${kind === undefined ? '' : `, signed in by ${CREDENTIALS[kind] ?? 'a token'}`}, until ${until} (${hours < 1 ? 'less than an hour' : `${Math.floor(hours)} h`})`,
    key: (id: string, subject: string) => `the API key ${id} for ${subject}`,
    extension:
      'This token was issued to a browser extension. The hosted service may refuse writes with it. Sign in with repoless login instead.',
    organization: (name: string, admins: readonly string[]) =>
      `Organization ${name}: you may read it. Its administrators: ${admins.length === 0 ? 'none' : admins.join(', ')}`,
    noOrganization: (name: string, why: string | undefined) =>
      `Organization ${name}: you may not read it${why === undefined ? '' : ` (${why})`} With a role on single sites you can set these up.`,
    generation: (site: string, upgraded: boolean) =>
      `Site ${site}: ${upgraded ? 'the hosted service announces the newer addresses (api.aem.live)' : 'served at the present addresses'}`,
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
