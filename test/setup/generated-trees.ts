import { rowMappings } from '@repoless/core/sites/propose-rows.ts';
import type { SiteRow } from '@repoless/core/sites/rows.ts';
import type { PlantedResource, Properties } from '@repoless/sandbox/authoring-system/content-store.ts';
import { PAGE_TYPE, SPREADSHEET_TYPE } from '@repoless/sandbox/authoring-system/create-page.ts';
import fc from 'fast-check';
import { ADA, CARL, OTTO } from './setup-world.ts';

/** A site root with every possible problem. */
export interface Tree {
  readonly page: 'page' | 'missing' | 'folder' | 'unreadable';
  readonly sheet: 'none' | 'spreadsheet' | 'page' | 'no page';
  readonly sheetName: 'configuration' | 'Configuration' | 'none/configuration';
  readonly configuration: 'inherited' | 'own' | 'own of another' | 'the base’s';
  readonly lock: 'none' | 'own' | 'content' | 'page' | 'country' | 'configuration';
  readonly deny: 'none' | 'page' | 'content' | 'country' | 'country but not the page' | 'configuration';
  readonly site: 'none' | 'same' | 'other content' | 'root taken';
  readonly account: 'own' | 'of another environment';
}

/** Mostly the correct value, so that most trees have few faults, but faults sometimes meet. */
const mostly = <T>(fine: T, ...others: T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(fine) }, { weight: 3, arbitrary: fc.constantFrom(...others) });

export const trees: fc.Arbitrary<Tree> = fc.record<Tree>({
  page: mostly<Tree['page']>('page', 'missing', 'folder', 'unreadable'),
  sheet: mostly<Tree['sheet']>('none', 'spreadsheet', 'page', 'no page'),
  sheetName: mostly<Tree['sheetName']>('configuration', 'configuration', 'Configuration', 'none/configuration'),
  configuration: mostly<Tree['configuration']>('inherited', 'own', 'own of another', 'the base’s'),
  lock: mostly<Tree['lock']>('none', 'own', 'content', 'page', 'country', 'configuration'),
  deny: mostly<Tree['deny']>('none', 'page', 'content', 'country', 'country but not the page', 'configuration'),
  site: mostly<Tree['site']>('none', 'same', 'other content', 'root taken'),
  account: mostly<Tree['account']>('own', 'of another environment'),
});

export interface Fault {
  readonly mode: 'none' | 'down' | 'unavailable' | 'slow' | 'forbidden' | 'unauthorized' | 'limited' | 'alternatives' | 'redirect';
  readonly path: string;
  readonly times?: number;
}

/** A fault of the authoring system: of all of it, of one tree, or of a configuration. Temporary ones may end soon. */
export function faults(family: string): fc.Arbitrary<Fault> {
  const path = fc.constantFrom(
    '/',
    '/content',
    `/content/${family}/c0`,
    `/content/${family}/c1/de/_jcr_content`,
    `/conf/wknd/${family}-c2`,
    '/conf/wknd/settings',
    '/libs/granite/csrf',
  );
  const lasting = fc.constantFrom<Fault['mode']>('down', 'unavailable', 'forbidden', 'unauthorized', 'limited', 'alternatives', 'redirect');
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant<Fault>({ mode: 'none', path: '/' }) },
    { weight: 4, arbitrary: fc.record({ mode: lasting, path }) },
    {
      weight: 2,
      arbitrary: fc.record({
        mode: fc.constantFrom<Fault['mode']>('down', 'unavailable', 'limited'),
        path,
        times: fc.nat(3).map((n) => n + 1),
      }),
    },
    { weight: 1, arbitrary: fc.record({ mode: fc.constant<Fault['mode']>('slow'), path }) },
  );
}

/** Callers who may write in the authoring system and administer the organization, only change existing sites, or only read. */
export const callers = fc.constantFrom(ADA, ADA, ADA, ADA, CARL, 'nora.neighbour@example.com');

export interface Grown {
  readonly tree: Tree;
  readonly row: SiteRow;
  readonly resources: readonly PlantedResource[];
}

/** The tree at its path in a separate family, and the row that a site manager would set up for it. */
export function grow(tree: Tree, family: string, index: number): Grown {
  const country = `/content/${family}/c${index}`;
  const root = `${country}/de`;
  const siteName = `${family}-c${index}`;
  const conf = `/conf/wknd/${siteName}`;
  const sheet = `${root}/${tree.sheetName}`;
  const edge = `${conf}/settings/cloudconfigs/edge-delivery-service-configuration`;
  const hasConf = tree.configuration === 'own' || tree.configuration === 'own of another';
  const selectedConf = tree.configuration === 'the base’s' ? '/conf/wknd' : conf;
  const lockAt = {
    none: '',
    own: `${root}/jcr:content`,
    content: `${root}/jcr:content`,
    page: root,
    country,
    configuration: hasConf ? `${edge}/jcr:content` : '',
  };
  const denyAt = {
    none: '',
    page: root,
    content: `${root}/jcr:content`,
    country,
    'country but not the page': country,
    configuration: conf,
  };
  const stored: (readonly [string, Properties])[] = [
    [`/content/${family}`, PAGE],
    [`/content/${family}/jcr:content`, { ...CONTENT, 'cq:conf': '/conf/wknd' }],
    [country, PAGE],
    [`${country}/jcr:content`, CONTENT],
    ...(tree.page === 'missing' ? [] : [[root, tree.page === 'folder' ? FOLDER : PAGE] as const]),
    ...(tree.page === 'page' || tree.page === 'unreadable'
      ? [[`${root}/jcr:content`, { ...CONTENT, ...(hasConf ? { 'cq:conf': conf } : {}) }] as const]
      : []),
    ...(tree.sheet === 'none' || tree.page === 'missing' ? [] : [[sheet, tree.sheet === 'no page' ? FOLDER : PAGE] as const]),
    ...((tree.sheet === 'spreadsheet' || tree.sheet === 'page') && tree.page !== 'missing'
      ? [[`${sheet}/jcr:content`, tree.sheet === 'page' ? CONTENT : { ...CONTENT, 'sling:resourceType': SPREADSHEET_TYPE }] as const]
      : []),
    ...(hasConf
      ? [
          [
            `${edge}/jcr:content`,
            { ...CONTENT, owner: 'wknd', repo: tree.configuration === 'own' ? siteName : 'else', projectType: '1', open: true },
          ] as const,
        ]
      : []),
    ...(tree.deny === 'configuration' && !hasConf ? [[conf, FOLDER] as const] : []),
  ];
  const locked = lockAt[tree.lock];
  const lock = { 'jcr:lockOwner': tree.lock === 'own' ? ADA : OTTO, 'jcr:lockIsDeep': tree.lock !== 'page' };
  const nodes = stored.map(([path, properties]) => [path, path === locked ? { ...properties, ...lock } : properties] as const);
  const denied = denyAt[tree.deny];
  const entries = [
    ...(denied === '' ? [] : [entry(denied, 'rep:DenyACE', 'rep:write')]),
    ...(tree.deny === 'country but not the page' ? [entry(root, 'rep:GrantACE', 'rep:write')] : []),
    ...(tree.page === 'unreadable' ? [entry(`${root}/jcr:content`, 'rep:DenyACE', 'jcr:read')] : []),
  ];
  return {
    tree,
    resources: [...nodes, ...entries].map(([path, properties]) => ({ environment: 'p100-e200', path, properties })),
    row: {
      id: root,
      siteName,
      contentRoot: root,
      mappings: rowMappings(root, sheet),
      includes: [`${root}/`],
      configurationPage: sheet,
      cloudConfiguration: selectedConf,
      technicalAccount: tree.account === 'own' ? 'p100-e200@techacct.example.com' : 'p100-e300@techacct.example.com',
    },
  };
}

const PAGE: Properties = { 'jcr:primaryType': 'cq:Page' };
const FOLDER: Properties = { 'jcr:primaryType': 'sling:Folder' };
const CONTENT: Properties = { 'jcr:primaryType': 'cq:PageContent', 'jcr:title': 'Grown', 'sling:resourceType': PAGE_TYPE };

function entry(path: string, type: string, privilege: string): readonly [string, Properties] {
  return [`${path}/rep:policy/entry`, { 'jcr:primaryType': type, 'rep:principalName': 'everyone', 'rep:privileges': [privilege] }];
}
