import { Ajv } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const address = { type: 'string', format: 'uri' };
const time = { type: 'string', format: 'date-time' };
const texts = { type: 'array', items: text };
const anything = { type: 'object' };
const match = (pattern: string) => ({ type: 'string', pattern });
const oneOf = (...values: unknown[]) => ({ enum: values });
const list = (items: Schema) => ({ type: 'array', items });
const keyed = (pattern: string, value: Schema) => ({
  type: 'object',
  patternProperties: { [pattern]: value },
  additionalProperties: false,
});
/** An object schema; the names in `required` are separated by spaces. */
const fields = (properties: Schema, required = '', additionalProperties = false) => ({
  type: 'object',
  properties,
  required: required.split(' ').filter((name) => name !== ''),
  additionalProperties,
});

const ID = '^[a-zA-Z0-9-_=]+$';
const HOST = String.raw`^$|^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.){1,5}[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$`;
const roles = list(oneOf('admin', 'author', 'publish', 'develop', 'basic_author', 'basic_publish', 'config', 'config_admin'));

const credential = { id: match(ID), type: oneOf('hashed', 'key'), created: time, lastModified: time, description: text };
const secret = {
  anyOf: ['hash', 'value'].map((form) => fields({ ...credential, [form]: text }, `${form} id type created lastModified`)),
};
const apiKey = fields(
  { id: match('^[a-zA-Z0-9-_/+]+$'), created: time, expiration: time, roles: texts, subject: text, description: text },
  'id created expiration roles subject',
);
const shared = {
  version: { type: 'integer' },
  title: text,
  description: text,
  created: time,
  lastModified: time,
  groups: keyed(ID, fields({ members: list(fields({ email: text, name: text }, 'email', true)) }, 'members')),
  secrets: keyed(ID, secret),
  tokens: keyed(ID, fields({ id: match(ID), hash: match(ID), created: time })),
};
const apiKeys = keyed('^[a-zA-Z0-9-_]+$', apiKey);

const markup = fields({ type: { const: 'markup' }, url: address, suffix: text }, 'type url');
const content = fields(
  {
    title: text,
    description: text,
    contentBusId: text,
    source: {
      anyOf: [
        fields({ type: { const: 'google' }, url: address, id: text }, 'type url id'),
        fields({ type: { const: 'onedrive' }, url: address, tenantId: text, itemId: text }, 'type url'),
        markup,
      ],
    },
    overlay: markup,
  },
  'contentBusId source',
);
const repository = match('^[a-zA-Z0-9_-]+$');
const code = fields(
  {
    title: text,
    description: text,
    owner: repository,
    repo: repository,
    source: fields(
      { type: { const: 'github' }, url: address, raw_url: address, secretId: match(ID), owner: repository, repo: repository },
      'type url',
    ),
  },
  'owner repo source',
  true,
);
const production = (type: string, own: string, required = own) =>
  fields(
    { type: { const: type }, host: match(HOST), route: texts, ...Object.fromEntries(own.split(' ').map((name) => [name, text])) },
    `type host ${required}`,
  );
const host = fields({ host: text }, 'host');
const cdn = fields({
  prod: {
    anyOf: [
      production('fastly', 'serviceId authToken'),
      production('cloudflare', 'plan zoneId apiToken'),
      production('akamai', 'endpoint clientSecret clientToken accessToken'),
      production('managed', 'envId', ''),
      production('cloudfront', 'distributionId accessKeyId secretAccessKey'),
      fields({ host: match(HOST.replace('^$|', '')) }, 'host'),
    ],
  },
  live: host,
  preview: host,
  review: host,
});
const readers = fields({ allow: texts, secretId: list(match('^[a-zA-Z0-9-_=+/]+$')), apiKeyId: texts });
const access = fields({
  admin: fields({
    role: keyed('^[a-z-_]+$', texts),
    requireAuth: oneOf(true, false, 'auto'),
    defaultRole: roles,
    apiKeyId: texts,
  }),
  site: readers,
  preview: readers,
  live: readers,
});
const BADGES = 'gray red orange yellow chartreuse celery green seafoam cyan blue indigo purple fuchsia magenta';
const every = (names: string, schema: Schema) => Object.fromEntries(names.split(' ').map((name) => [name, schema]));
const plugin = fields(
  {
    ...every('containerId event id paletteRect popoverRect title url', text),
    ...every('isBadge isContainer isPalette isPopover passConfig passReferrer pinned', flag),
    badgeVariant: oneOf(...BADGES.split(' ')),
    environments: list(oneOf('any', 'dev', 'admin', 'edit', 'preview', 'review', 'live', 'prod')),
    excludePaths: texts,
    includePaths: texts,
    titleI18n: { ...keyed('^[a-z]{2}(-[A-Z]{2})?$', text), minProperties: 1 },
  },
  'id',
  true,
);
const hostName = { type: 'string', format: 'hostname' };
const sidekick = fields({
  ...every('editUrlLabel editUrlPattern project', text),
  ...every('host liveHost previewHost reviewHost', hostName),
  plugins: list(plugin),
  specialViews: list(fields(every('id path title viewer', text), 'id path viewer', true)),
  trustedHosts: texts,
  wordSaveDelay: { type: 'number' },
});

const parts = {
  content,
  code,
  folders: keyed('^/[a-zA-Z0-9-_/.]*$', text),
  headers: keyed('^[a-zA-Z0-9-/._*]+$', list(fields({ key: text, value: text }, 'key value'))),
  cdn,
  access,
  sidekick,
  metadata: fields({ source: texts }),
  robots: fields({ txt: text }),
  public: anything,
  events: fields({ github: fields({ target: match('^[a-zA-Z0-9_-]+/[a-zA-Z0-9_-]+$') }, 'target') }, 'github'),
  features: { type: 'object', patternProperties: { [ID]: anything } },
  limits: { type: 'object', patternProperties: { [ID]: fields({ description: text }, '', true) } },
};
const SET = 'version created lastModified';
const SCHEMAS = {
  sites: fields(
    {
      ...shared,
      ...parts,
      apiKeys,
      name: match('^[a-z0-9]+(?:-[a-z0-9]+)*$'),
      extends: fields({ profile: match('^[0-9a-zA-Z-_]+$') }),
    },
    `${SET} content code`,
  ),
  profiles: fields({ ...shared, ...parts }, SET),
  org: fields(
    {
      ...shared,
      apiKeys,
      users: list(fields({ id: match(ID), email: text, name: text, roles }, 'id email roles')),
      access: fields({ admin: fields({ apiKeyId: texts }) }),
      registry: oneOf('github', 'custom'),
    },
    SET,
  ),
};
type SchemaKind = keyof typeof SCHEMAS;

const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
ajv.addFormat('uri', (value: string) => URL.canParse(value));
ajv.addFormat('date-time', (value: string) => /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value)));
ajv.addFormat('hostname', /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/i);

/** What is invalid in a document, in the service's one-line format; undefined if it is valid. */
export function problemOf(kind: SchemaKind, document: unknown): string | undefined {
  // Compiled once: ajv caches a schema by its identity.
  const check = ajv.compile(SCHEMAS[kind]);
  return check(document) ? undefined : ajv.errorsText(check.errors, { separator: '; ' });
}

/** Whether a path may exist in a document of this kind. */
export function isPartPath(kind: SchemaKind, path: readonly string[]): boolean {
  return leads(SCHEMAS[kind], path);
}

function leads(schema: unknown, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { properties, patternProperties, additionalProperties = true, anyOf, type }: Record<string, unknown> = Object(schema);
  if (Array.isArray(anyOf)) return anyOf.some((one) => leads(one, path));
  if (type !== 'object') return false;
  if (Object.hasOwn(Object(properties), name)) return leads(Reflect.get(Object(properties), name), rest);
  const [pattern, value] = Object.entries(Object(patternProperties))[0] ?? [];
  if (pattern !== undefined && new RegExp(pattern).test(name)) return leads(value, rest);
  return additionalProperties === true;
}
