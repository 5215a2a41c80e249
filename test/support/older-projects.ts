import type { PublicPaths } from '@repoless/contract/site.ts';
import type { Sidekick } from '@repoless/contract/site-parts.ts';
import type { FurtherFileName } from '@repoless/core/legacy/project-file.ts';
import type { MOUNT_MEMBERS } from '@repoless/core/legacy/read-fstab.ts';
import type { z } from 'zod';

// Every property that a file of an older project may have, and its outcome: none is dropped silently.

const AUTHOR = 'https://author-p100-e200.example.com';
export const DELIVERY = `${AUTHOR}/bin/franklin.delivery/wknd/park/main`;

/** A property in a file of a project. */
export interface Property {
  readonly title: string;
  /** All files of the project. */
  readonly files: Readonly<Record<string, string>>;
  readonly file: string;
  /** Its name in messages, and a text that occurs only in its line. */
  readonly name: string;
  readonly mark: string;
  /** Its text in the site, if it is carried over. */
  readonly value: string;
  /** `refused`: the complete project is refused, with the line, because of its content source. */
  readonly imported: 'carried' | 'named' | 'refused';
  readonly migrated: 'carried' | 'named';
}

/** The line of a property. */
export function lineOf({ files, file, mark }: Property): number {
  const text = files[file] ?? '';
  return text.slice(0, text.indexOf(mark)).split('\n').length;
}

interface Outcome {
  readonly imported: Property['imported'];
  readonly migrated: Property['migrated'];
}
const CARRIED: Outcome = { imported: 'carried', migrated: 'carried' };
const NAMED: Outcome = { imported: 'named', migrated: 'named' };
/** A file of sites only allows authoring systems. */
const OF_A_DRIVE: Outcome = { imported: 'refused', migrated: 'carried' };
/** A file of sites has no place for it. */
const OF_A_SITE: Outcome = { imported: 'named', migrated: 'carried' };

const MARKUP = { url: DELIVERY, type: 'markup' };
const ONEDRIVE = { url: 'https://park.sharepoint.com/sites/park', type: 'onedrive' };
const GOOGLE = { url: 'https://drive.google.com/drive/folders/abc', type: 'google' };

/** The compiler requires an entry for every member that the reader knows. */
const MOUNT: Record<keyof typeof MOUNT_MEMBERS, readonly [value: unknown, outcome: Outcome, beside: object, shown?: string]> = {
  url: [DELIVERY, CARRIED, { type: 'markup' }, AUTHOR],
  type: ['markup', CARRIED, { url: DELIVERY }, AUTHOR],
  suffix: ['.plain.html', CARRIED, MARKUP],
  overlay: [
    { url: 'https://overlay.example.com/park', type: 'markup', suffix: '.htm' },
    CARRIED,
    MARKUP,
    'https://overlay.example.com/park',
  ],
  id: ['folder-17', OF_A_DRIVE, GOOGLE],
  tenantId: ['tenant-17', OF_A_DRIVE, ONEDRIVE],
  itemId: ['item-17', OF_A_DRIVE, ONEDRIVE],
  contentBusId: ['0123456789', NAMED, MARKUP],
  fallbackPath: ['default.md', NAMED, MARKUP],
  credentials: [['sealed-17'], NAMED, MARKUP],
};

const PATH_LINES: Record<keyof typeof PublicPaths.shape, readonly [value: unknown, shown: string]> = {
  mappings: [['/content/park/:/', '/content/park/stories/:/tales/'], '/content/park/stories/:/tales/'],
  includes: [['/content/park/', '/content/dam/park/'], '/content/dam/park/'],
  excludes: [['/content/park/**/drafts/**'], '/content/park/**/drafts/**'],
};

const SIDEKICK: Required<z.input<typeof Sidekick>> = {
  project: 'Park of 17',
  host: 'www17.example.com',
  previewHost: 'preview17.example.com',
  liveHost: 'live17.example.com',
  reviewHost: 'review17.example.com',
  trustedHosts: ['trusted17.example.com'],
  editUrlLabel: 'Edit 17',
  editUrlPattern: 'https://edit17.example.com',
  wordSaveDelay: 1717,
  plugins: [{ id: 'plugin-17' }],
  specialViews: [{ id: 'view-17', path: '/**.json', viewer: '/tools/viewer17' }],
};

const FURTHER: Record<FurtherFileName, readonly [text: string, value: string, outcome: Outcome]> = {
  'robots.txt': ['User-agent: bot17\nDisallow: /\n', 'bot17', OF_A_SITE],
  'helix-query.yaml': ['indices:\n  park17:\n    properties: {}\n', 'park17', OF_A_SITE],
  'helix-sitemap.yaml': ['sitemaps:\n  park17:\n    source: /query-index.json\n', 'park17', OF_A_SITE],
  'tools/sidekick/config.json': ['{ "project": "Park of 17" }', 'Park of 17', OF_A_SITE],
  'config.json': ['{ "public": {} }', '', NAMED],
};

const json = (value: unknown) => JSON.stringify(value, null, 2);
const mounted = (members: object, more = '') => `mountpoints:\n  /:\n${flow(members, '    ')}${more}`;
const flow = (members: object, indent: string) =>
  Object.entries(members)
    .map(([name, value]) => `${indent}${name}: ${JSON.stringify(value)}\n`)
    .join('');
const FSTAB = mounted(MARKUP);
const PATHS = json({ mappings: ['/content/park/:/'] });

function property(file: string, name: string, text: string, outcome: Outcome, more: Partial<Property> = {}): Property {
  const files = { 'fstab.yaml': FSTAB, 'paths.json': PATHS, [file]: text };
  return { title: `${name} of ${file}`, files, file, name, mark: name, value: '', ...outcome, ...more };
}

/** The text of a value in a site. */
const shownOf = (value: unknown, shown?: string) => shown ?? (Array.isArray(value) ? json(value[0]) : String(value));

const ofMount = Object.entries(MOUNT).map(([name, [value, outcome, beside, shown]]) =>
  property('fstab.yaml', name, mounted({ ...beside, [name]: value }), outcome, {
    mark: `${name}: ${JSON.stringify(value)}`,
    value: shownOf(value, shown),
    files: { 'fstab.yaml': mounted({ ...beside, [name]: value }), 'paths.json': PATHS },
  }),
);
const ofOtherTypes = (['id', 'tenantId', 'itemId'] as const).map((name) =>
  property('fstab.yaml', name, mounted({ ...MARKUP, [name]: 'x17' }), NAMED, { title: `${name} beside markup` }),
);
const overlay = (member: string) =>
  mounted({ ...MARKUP, overlay: undefined }).replace('undefined', `{ url: "https://o.example.com/x", ${member} }`);
const ofFstab = [
  property('fstab.yaml', 'somethingElse', mounted({ ...MARKUP, somethingElse: 17 }), NAMED, {
    title: 'an unknown member of a mount point',
  }),
  property('fstab.yaml', 'elsewhere', overlay('elsewhere: 17'), NAMED, { title: 'an unknown member of an overlay' }),
  property('fstab.yaml', '/news', `${FSTAB}  /news: https://news.example.com\n`, NAMED, { title: 'a further mount point' }),
  property('fstab.yaml', '/products/', `${FSTAB}folders:\n  /products/: /products/default17\n`, CARRIED, {
    title: 'a folder',
    value: '/products/default17',
  }),
  property('fstab.yaml', '/2024', `${FSTAB}folders:\n  /2024: [/archive17]\n`, CARRIED, {
    title: 'a folder with a list of one',
    value: '/archive17',
  }),
  property('fstab.yaml', '/odd', `${FSTAB}folders:\n  /fine: /page\n  /odd: { page: 1 }\n`, NAMED, { title: 'a folder with an object' }),
  property('fstab.yaml', '/empty', `${FSTAB}folders:\n  /empty:\n`, NAMED, { title: 'a folder without a page' }),
  property('fstab.yaml', 'caf\\u00e9', `${FSTAB}folders:\n  /café: /page\n`, NAMED, { title: 'a folder of other letters', mark: '/café' }),
  property('fstab.yaml', 'folders', `${FSTAB}folders: [/a]\n`, NAMED, { title: 'folders that are a list' }),
  property('fstab.yaml', 'version', `${FSTAB}version: 17\n`, NAMED, { title: 'an unknown property of fstab.yaml' }),
];
const ofPaths = Object.entries(PATH_LINES).flatMap(([name, [value, shown]]) => [
  property('paths.json', name, json({ mappings: ['/content/park/:/'], [name]: value }), CARRIED, { value: shown }),
  property('paths.json', name, json({ paths: { mappings: ['/content/park/:/'], [name]: value } }), CARRIED, {
    title: `${name} within paths`,
    value: shown,
  }),
]);
const ofPathsBeside = [
  property('paths.json', 'rewrites', json({ mappings: ['/content/park/:/'], rewrites: { a: 'b17' } }), OF_A_SITE, {
    title: 'an unknown member of the paths',
    value: 'b17',
  }),
  property('paths.json', 'brand', json({ paths: { mappings: ['/content/park/:/'] }, brand: 'x17' }), NAMED, {
    title: 'a member beside the paths',
  }),
  ...['/.helix/headers.json', '/metadata.json', '/redirects.json', '/robots.txt', '/.helix/config-all.json'].map((sheet) =>
    property('paths.json', sheet, json({ mappings: ['/content/park/:/', `/content/park/sheet:${sheet}`] }), NAMED, {
      title: `the sheet ${sheet}`,
    }),
  ),
];
const ofSidekick = Object.entries(SIDEKICK).map(([name, value]) =>
  property('tools/sidekick/config.json', name, json({ [name]: value }), OF_A_SITE, {
    value: Array.isArray(value) ? '17' : String(value),
    mark: '{',
    imported: 'named',
  }),
);
const ofSidekickBeside = [
  property('tools/sidekick/config.json', 'libraries', json({ project: 'x', libraries: [] }), NAMED, {
    title: 'an unknown member of the sidekick',
  }),
];
const ofFurther = Object.entries(FURTHER).map(([file, [text, value, outcome]]) =>
  property(file, file, text, outcome, { mark: text, value }),
);

const ofBrokenFiles = [
  property('helix-query.yaml', 'helix-query.yaml', 'indices: 17\n', NAMED, {
    title: 'a helix-query.yaml of another form',
    mark: 'indices',
  }),
  property('tools/sidekick/config.json', 'tools/sidekick/config.json', '[]', NAMED, { title: 'a sidekick that is a list', mark: '[' }),
];

export const PROPERTIES: readonly Property[] = [
  ...ofMount,
  ...ofOtherTypes,
  ...ofFstab,
  ...ofPaths,
  ...ofPathsBeside,
  ...ofSidekick,
  ...ofSidekickBeside,
  ...ofFurther,
  ...ofBrokenFiles,
];
