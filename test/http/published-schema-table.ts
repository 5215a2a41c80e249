/** The shape of a value in a configuration of the public service. */
export type Shape =
  | 'text'
  | 'number'
  | 'boolean'
  | { readonly oneOf: readonly (string | boolean)[] }
  | { readonly list: Shape }
  /** An object with arbitrary keys. */
  | { readonly each: Shape }
  /** `open`: other members are accepted too. */
  | { readonly members: Readonly<Record<string, Shape>>; readonly open?: true }
  /** Variants by their `type`; the one without a type is `bare`. */
  | { readonly types: Readonly<Record<string, Readonly<Record<string, Shape>>>> };

const texts = (...names: string[]): Record<string, Shape> => Object.fromEntries(names.map((name) => [name, 'text']));
const list = (shape: Shape): Shape => ({ list: shape });
const each = (shape: Shape): Shape => ({ each: shape });
const members = (named: Readonly<Record<string, Shape>>): Shape => ({ members: named });
const open = (named: Readonly<Record<string, Shape>>): Shape => ({ members: named, open: true });

const described = texts('title', 'description');
const roles = list({
  oneOf: ['admin', 'author', 'publish', 'develop', 'basic_author', 'basic_publish', 'config', 'config_admin'],
});
const titled = { version: 'number', ...texts('created', 'lastModified'), ...described } as const;
const groups = each(members({ members: list(open(texts('email', 'name'))) }));
const secrets = each(
  members({ ...texts('id', 'hash', 'value', 'created', 'lastModified', 'description'), type: { oneOf: ['hashed', 'key'] } }),
);
const apiKeys = each(members({ ...texts('id', 'created', 'expiration', 'subject', 'description'), roles: list('text') }));
const tokens = each(members(texts('id', 'hash', 'created')));

const markup = texts('url', 'suffix');
const content = members({
  ...described,
  contentBusId: 'text',
  source: { types: { google: texts('url', 'id'), onedrive: texts('url', 'tenantId', 'itemId'), markup } },
  overlay: { types: { markup } },
});
const codeFrom = (...source: string[]) =>
  open({ ...described, ...texts('owner', 'repo'), source: { types: { github: texts('url', 'raw_url', 'owner', 'repo', ...source) } } });
const routed = { host: 'text', route: list('text') } as const;
const host = members({ host: 'text' });
const cdn = members({
  prod: {
    types: {
      fastly: { ...routed, ...texts('serviceId', 'authToken') },
      cloudflare: { ...routed, ...texts('plan', 'zoneId', 'apiToken') },
      akamai: { ...routed, ...texts('endpoint', 'clientSecret', 'clientToken', 'accessToken') },
      managed: { ...routed, envId: 'text' },
      cloudfront: { ...routed, ...texts('distributionId', 'accessKeyId', 'secretAccessKey') },
      bare: { host: 'text' },
    },
  },
  live: host,
  preview: host,
  review: host,
});
const readers = members({ allow: list('text'), secretId: list('text'), apiKeyId: list('text') });
const access = members({
  admin: members({
    role: each(list('text')),
    requireAuth: { oneOf: [true, false, 'auto'] },
    defaultRole: roles,
    apiKeyId: list('text'),
  }),
  site: readers,
  preview: readers,
  live: readers,
});
const BADGES = 'gray red orange yellow chartreuse celery green seafoam cyan blue indigo purple fuchsia magenta';
const plugin = open({
  ...texts('containerId', 'event', 'id', 'paletteRect', 'popoverRect', 'title', 'url'),
  badgeVariant: { oneOf: BADGES.split(' ') },
  environments: list({ oneOf: ['any', 'dev', 'admin', 'edit', 'preview', 'review', 'live', 'prod'] }),
  excludePaths: list('text'),
  includePaths: list('text'),
  ...Object.fromEntries(
    ['isBadge', 'isContainer', 'isPalette', 'isPopover', 'passConfig', 'passReferrer', 'pinned'].map((name) => [name, 'boolean' as const]),
  ),
  titleI18n: each('text'),
});
const sidekick = members({
  ...texts('editUrlLabel', 'editUrlPattern', 'host', 'liveHost', 'previewHost', 'project', 'reviewHost'),
  plugins: list(plugin),
  specialViews: list(open(texts('id', 'path', 'title', 'viewer'))),
  trustedHosts: list('text'),
  wordSaveDelay: 'number',
});

const profile = {
  ...titled,
  content,
  // Here a profile may not name a repository's secret.
  code: codeFrom(),
  folders: each('text'),
  headers: each(list(members(texts('key', 'value')))),
  cdn,
  access,
  tokens,
  secrets,
  groups,
  sidekick,
  metadata: members({ source: list('text') }),
  robots: members({ txt: 'text' }),
  public: open({}),
  events: members({ github: members({ target: 'text' }) }),
  features: open({ '*': open({}) }),
  limits: open({ '*': open({ description: 'text' }) }),
} as const;

/** The public service's schema (version 12.144, docs/design-facts.md 4.1), by kind of configuration. */
export const PUBLISHED_SHAPES = {
  site: members({ ...profile, code: codeFrom('secretId'), name: 'text', apiKeys, extends: members({ profile: 'text' }) }),
  profile: members(profile),
  org: members({
    ...titled,
    users: list(members({ ...texts('id', 'email', 'name'), roles })),
    groups,
    secrets,
    apiKeys,
    tokens,
    access: members({ admin: members({ apiKeyId: list('text') }) }),
    registry: { oneOf: ['github', 'custom'] },
  }),
} as const;

/** Every path of a shape, and every value of its enumerations: `cdn.prod(fastly).route[]`, `registry=custom`. */
export function placesOf(shape: Shape, at = ''): string[] {
  if (typeof shape === 'string') return [at];
  if ('oneOf' in shape) return shape.oneOf.map((value) => `${at}=${value}`);
  if ('list' in shape) return placesOf(shape.list, `${at}[]`);
  if ('each' in shape) return placesOf(shape.each, `${at}.*`);
  const named = 'types' in shape ? formsOf(shape.types, at) : [[at, shape.members] as const];
  return [
    ...('open' in shape ? [`${at}.…`] : []),
    ...named.flatMap(([path, has]) => Object.entries(has).flatMap(([name, one]) => placesOf(one, `${path}.${name}`))),
  ];
}

/** The paths of a shape that a value covers. A value of another kind covers none. */
export function filledBy(shape: Shape, value: unknown, at = ''): string[] {
  if (typeof shape === 'string') return typeof value === (shape === 'text' ? 'string' : shape) ? [at] : [];
  if ('oneOf' in shape) return [`${at}=${String(value)}`];
  if ('list' in shape) return Array.isArray(value) ? value.flatMap((one: unknown) => filledBy(shape.list, one, `${at}[]`)) : [];
  const entries = Object.entries<unknown>(Object(value));
  if ('each' in shape) return entries.flatMap(([, one]) => filledBy(shape.each, one, `${at}.*`));
  const type = String(Object(value).type ?? 'bare');
  const [path, has] = 'types' in shape ? [`${at}(${type})`, shape.types[type] ?? {}] : [at, shape.members];
  return entries.flatMap(([name, one]) => {
    const known = has[name] ?? has['*'];
    const own = known === undefined ? [] : filledBy(known, one, `${path}.${name in has ? name : '*'}`);
    return 'open' in shape && !(name in has) ? [`${at}.…`, ...own] : own;
  });
}

function formsOf(types: Readonly<Record<string, Readonly<Record<string, Shape>>>>, at: string) {
  return Object.entries(types).map(([type, has]) => [`${at}(${type})`, has] as const);
}
