type Document = Readonly<Record<string, unknown>>;

const code = { owner: 'wknd', repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } };
const markup = { type: 'markup', url: 'https://content.example.com/wknd', suffix: '.html' };
const content = { contentBusId: '0123456789abcdef', source: markup };
const host = 'www.example.com';
const plain: Document = { code, content };

/** Each part with every property that it may have. */
export const PUBLISHED_SITE_PARTS: Document = {
  folders: { '/': '/index', '/products/': '/products/default', '/a_b.c-d/e': 'f' },
  headers: {
    '/**': [
      { key: 'content-security-policy', value: "default-src 'self'" },
      { key: 'X_Custom.Header', value: '' },
    ],
    'products/*.json': [{ key: 'access-control-allow-origin', value: '*' }],
    '/empty': [],
  },
  cdn: {
    prod: { host },
    live: { host: 'live.example.com' },
    preview: { host: 'preview.example.com' },
    review: { host: 'review.example.com' },
  },
  access: {
    admin: {
      role: {
        admin: ['operator@example.com', '/groups/editors'],
        author: ['*@example.com', 'groups/editors'],
        publish: ['*'],
        develop: [],
        basic_author: ['ada@example.com'],
        basic_publish: ['ada@example.com'],
        config: ['0A1B2C3D@techacct.example.com'],
        config_admin: ['p1-e2@techacct.example.com'],
        media_author: ['ada@example.com'],
        view: ['ada@example.com'],
        '-_-': ['ada@example.com'],
      },
      requireAuth: true,
      defaultRole: ['basic_author', 'config'],
      apiKeyId: ['a/b+c'],
    },
    site: { allow: ['*@example.com'], secretId: ['a-b_c=+/'], apiKeyId: ['one'] },
    preview: { allow: ['ada@example.com'], secretId: [], apiKeyId: [] },
    live: { allow: ['/groups/editors'], secretId: ['reader'], apiKeyId: ['two'] },
  },
  groups: { editors: { members: [{ email: 'ada@example.com', name: 'Ada', since: 2020 }] }, 'A_b-c=': { members: [] } },
  sidekick: {
    editUrlLabel: 'Edit in the editor',
    editUrlPattern: '{{contentSourceUrl}}{{pathname}}?cmd=open',
    host,
    liveHost: 'live.example.com',
    previewHost: 'preview.example.com',
    reviewHost: 'review.example.com',
    project: 'Store',
    trustedHosts: [host],
    wordSaveDelay: 1500,
    plugins: [
      {
        id: 'library',
        title: 'Library',
        titleI18n: { de: 'Bibliothek', 'de-CH': 'Bibliothek' },
        url: '/tools/library.html',
        event: 'library',
        environments: ['any', 'dev', 'admin', 'edit', 'preview', 'review', 'live', 'prod'],
        excludePaths: ['/drafts/**'],
        includePaths: ['**.docx**'],
        badgeVariant: 'chartreuse',
        containerId: 'tools',
        isBadge: false,
        isContainer: false,
        isPalette: true,
        isPopover: false,
        paletteRect: 'top: 10px',
        popoverRect: 'width: 10px',
        passConfig: true,
        passReferrer: true,
        pinned: false,
        ofOurOwn: { kept: true },
      },
    ],
    specialViews: [{ id: 'json', path: '/**.json', viewer: '/tools/json.html', title: 'JSON', more: 1 }],
  },
  metadata: { source: ['metadata.json'] },
  robots: { txt: 'User-agent: *\nDisallow: /drafts/\n' },
  public: { paths: { mappings: ['/content/everything/:/everything/'], includes: ['/content/everything/'] }, any: [1, 'two', null] },
  events: { github: { target: 'wknd/events_of-all' } },
  features: { fast: { enabled: true, share: 0.5 }, empty: {}, 'a name': 'of their own' },
  limits: { pages: { description: 'Pages', most: 5000 }, files: {}, 'a name': 1 },
  editor: { theme: 'dark', toolbar: [{ id: 'bold' }] },
};

const prods: Readonly<Record<string, Document>> = {
  'a bare host': { host },
  Fastly: { type: 'fastly', host, route: ['/de/*'], serviceId: '1', authToken: '2' },
  'Fastly without a host yet': { type: 'fastly', host: '', serviceId: '1', authToken: '2' },
  'Cloudflare with every property': { type: 'cloudflare', host, route: ['/de/*', '/at/*'], plan: 'free', zoneId: '1', apiToken: '2' },
  Cloudflare: { type: 'cloudflare', host, route: [], plan: 'enterprise', zoneId: '1', apiToken: '2' },
  Akamai: { type: 'akamai', host, route: ['/x'], endpoint: 'e', clientSecret: 's', clientToken: 't', accessToken: 'a' },
  'the managed network': { type: 'managed', host, envId: 'e1', route: ['/x'] },
  'the managed network, bare': { type: 'managed', host },
  CloudFront: { type: 'cloudfront', host, route: ['/x'], distributionId: '1', accessKeyId: '2', secretAccessKey: '3' },
};

const external = { type: 'github', url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' };
const codes: Readonly<Record<string, Document>> = {
  'with a title and members of its own': { ...code, title: 'Code', description: 'Of the brand', branchOfOurOwn: { kept: true } },
  'whose source repeats the names': { ...code, source: { ...code.source, owner: 'wknd', repo: 'wknd' } },
  'with an address for raw files on the code host': { ...code, source: { ...code.source, raw_url: 'https://raw.example.com/wknd/wknd' } },
  'of an external repository': { owner: '100', repo: '7', source: { ...external, secretId: 'cm-byog' } },
  'of an external repository with another secret': { owner: '101', repo: '8', source: { ...external, secretId: 'our_secret=' } },
  'of an external repository that names itself': {
    owner: '102',
    repo: '9',
    source: { ...external, owner: '102', repo: '9', secretId: 'cm-byog' },
  },
};

const contents: Readonly<Record<string, Document>> = {
  'from Google Drive': { source: { type: 'google', url: 'https://drive.google.com/drive/folders/abc', id: 'abc' } },
  'from OneDrive by an identifier': { source: { type: 'onedrive', url: 'onedrive:/drives/b17/items/017' } },
  'from Google Drive by an identifier': { source: { type: 'google', url: 'gdrive:abc17', id: 'abc17' } },
  'from SharePoint': { source: { type: 'onedrive', url: 'https://example.sharepoint.com/sites/a/Shared%20Documents' } },
  'from SharePoint by its identifiers': {
    source: { type: 'onedrive', url: 'https://example.sharepoint.com/sites/a', tenantId: 't-1', itemId: 'i-1' },
  },
  'with a title': { ...content, title: 'Content', description: 'Of the brand' },
  'with an overlay': { ...content, overlay: { type: 'markup', url: 'https://overlay.example.com/', suffix: '.html' } },
  'with a bare overlay': { ...content, overlay: { type: 'markup', url: 'https://overlay.example.com/' } },
  'from markup without a suffix': { source: { type: 'markup', url: markup.url } },
};

/** One plugin of each colour. */
const badges = ['gray', 'red', 'orange', 'yellow', 'chartreuse', 'celery', 'green', 'seafoam']
  .concat(['cyan', 'blue', 'indigo', 'purple', 'fuchsia', 'magenta'])
  .map((badgeVariant) => ({ id: badgeVariant, isBadge: true, badgeVariant }));
const EVERY_ROLE = ['admin', 'author', 'publish', 'develop', 'basic_author', 'basic_publish', 'config', 'config_admin'];

const authModes = {
  'that requires no sign-in': false,
  'that requires a sign-in': true,
  'that requires a sign-in if roles are set': 'auto',
};
const named = (word: string, entries: Readonly<Record<string, unknown>>, part: (value: unknown) => Document): [string, Document][] =>
  Object.entries(entries).map(([what, value]) => [`${word} ${what}`, { ...plain, ...part(value) }]);

/** Sites by their special feature. */
export const PUBLISHED_SITES: Readonly<Record<string, Document>> = {
  plain,
  'with everything': { ...plain, title: 'Everything', description: 'All at once', ...PUBLISHED_SITE_PARTS },
  'with its name': { ...plain, name: '' },
  'with badges of every colour': { ...plain, sidekick: { plugins: badges } },
  'that gives everyone every role': { ...plain, access: { admin: { defaultRole: EVERY_ROLE } } },
  'with readers of its preview': { ...plain, access: { preview: { secretId: ['a-b_c=+/'], apiKeyId: ['one', 'two'] } } },
  'that extends nothing': { ...plain, extends: {} },
  'that extends a profile': { ...plain, extends: { profile: 'Brand_1-x' } },
  ...Object.fromEntries([
    ...named('with', mappedParts(), (value) => Object(value)),
    ...named('behind', prods, (prod) => ({ cdn: { prod } })),
    ...named('with code', codes, (value) => ({ code: value })),
    ...named('with content', contents, (value) => ({ content: value })),
    ...named('', authModes, (requireAuth) => ({
      access: { admin: { requireAuth, role: { admin: ['operator@example.com'], config_admin: [] } } },
    })),
  ]),
};

function mappedParts(): Record<string, Document> {
  return Object.fromEntries(
    Object.entries(PUBLISHED_SITE_PARTS).map(([part, value]) => [part, { [part]: part === 'public' ? { theme: 'dark' } : value }]),
  );
}
