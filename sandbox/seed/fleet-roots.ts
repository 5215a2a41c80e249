import { ORGANIZATION, type SiteRoot, type Trouble } from './base-roots.ts';
import { type PlantedResource, BASE_ENVIRONMENT } from '../authoring-system/content-store.ts';
import { pageResources, text, title } from './page-resources.ts';

const FLEET_ROOT = '/content/fleet';
/** One in this many sites is wrong: 40 of 1,000. */
const WRONG_EVERY = 25;

type Ways = readonly ((well: Well) => SiteRoot)[];

/** The parts of a site that is set up well. */
interface Well {
  readonly root: SiteRoot;
  readonly site: string;
  readonly configuration: NonNullable<SiteRoot['configuration']>;
}

/**
 * This many registered sites below one base site, to try out an organization of hundreds. One in 25 is wrong, each in the next of the known
 * ways; all others are set up well. Not random: the same number creates the same sites.
 */
export function fleetRoots(count: number): SiteRoot[] {
  if (count === 0) return [];
  const base: SiteRoot = {
    ...wellRoot(FLEET_ROOT, 'en', 'Tarnfell Fleet', 'fleet').root,
    configurationPage: 'spreadsheet',
  };
  return [base, ...Array.from({ length: count - 1 }, (_, index) => fleetSite(index))];
}

/** The pages that contain the sites of a country. */
export function fleetCountries(count: number): readonly { readonly path: string; readonly title: string }[] {
  const countries = Math.ceil(Math.max(0, count - 1) / GROWN_LANGUAGES.length);
  return Array.from({ length: countries }, (_, index) => ({
    path: `${FLEET_ROOT}/${countryCode(index)}`,
    title: `Country ${countryCode(index)}`,
  }));
}

function fleetSite(index: number): SiteRoot {
  const country = countryCode(Math.floor(index / GROWN_LANGUAGES.length));
  const language = GROWN_LANGUAGES[index % GROWN_LANGUAGES.length] ?? 'en';
  const well = wellRoot(`${FLEET_ROOT}/${country}/${language}`, language, undefined, `fleet-${country}-${language}`);
  if (index % WRONG_EVERY !== 12) return well.root;
  return WRONG[Math.floor(index / WRONG_EVERY) % WRONG.length]?.(well) ?? well.root;
}

function wellRoot(path: string, language: string, title: string | undefined, site: string): Well {
  const configuration = { conf: `/conf/${site}`, owner: ORGANIZATION, repo: site, projectType: 'repoless' } as const;
  const root: SiteRoot = {
    path,
    language,
    pages: 1,
    ...(title === undefined ? {} : { title }),
    configuration,
    configurationPage: 'spreadsheet',
    service: { site },
  };
  return { root, site, configuration };
}

const WRONG: Ways = [
  ({ root, site }) => ({
    ...without(root),
    service: { site },
    ...trouble('cloud-configuration-own', 'It inherits the configuration of the site above.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, technicalAccount: 'none' },
    ...trouble('technical-account-listed', 'The technical account was forgotten.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, technicalAccount: "the other environment's" },
    ...trouble('technical-account-environment', 'The technical account is that of the other environment.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, mappings: [`${root.path}:/`, `${root.path}/configuration:/.helix/config.json`] },
    ...trouble('mapping-site-root', 'The mapping of the root lacks its trailing slash.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, mappings: [`${root.path}/:/`] },
    ...trouble('mapping-configuration', 'The mapping of the configuration page was forgotten.'),
  }),
  ({ root, site, configuration }) => ({
    ...root,
    configuration: { ...configuration, repo: `${site}-old` },
    ...trouble('organization-and-site-name', 'The configuration names another site.'),
  }),
  ({ root, configuration }) => ({
    ...root,
    configuration: { ...configuration, owner: ORGANIZATION.toUpperCase() },
    ...trouble('organization-and-site-name', 'The organization is written in upper-case letters.'),
  }),
  ({ root, configuration }) => ({
    ...root,
    configuration: { ...configuration, projectType: 'plain' },
    ...trouble('project-type', 'Only the switch to repoless is missing.'),
  }),
  ({ root }) => ({ ...root, configurationPage: 'none', ...trouble('configuration-page', 'The configuration page does not exist.') }),
  ({ root }) => ({
    ...root,
    configurationPage: 'ordinary page',
    ...trouble('configuration-page', 'The configuration page is an ordinary page.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, administrators: ['*'] },
    ...trouble('wildcard-administrators', 'Everybody administers this site.'),
  }),
  ({ root, site }) => ({
    ...root,
    service: { site, repository: 'legacy' },
    ...trouble('config-shadowed', 'The repository has its own config.json.'),
  }),
  ({ root, configuration }) => ({
    ...root,
    configuration: { ...configuration, open: false },
    ...trouble('delivery-answers', 'The content is delivered to the technical account alone.'),
  }),
];

function without({ configuration: _configuration, ...root }: SiteRoot): SiteRoot {
  return root;
}

function trouble(check: string, explanation: string): { readonly trouble: Trouble } {
  return { trouble: { check, explanation } };
}

/** `1000` as a number of sites; 0 for an empty text. Throws a message if it is not such a number. */
export function parseFleetSize(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > 20_000) throw new Error(`--sites is "${text}". Use a number of additional sites, from 1 to 20000.`);
  return count;
}

const GROWN_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
const ROOT = '/content/grown';

export interface GrownSize {
  readonly sites: number;
  readonly pagesPerSite: number;
  readonly environment?: string;
}

/**
 * A content tree of any size to try out scale: `/content/grown/<country>/<language>`, each locale a live copy with this many pages
 * (including its home page), ten of them below the home page and the others below those. Not random: the same numbers create the same tree.
 */
export function* growTree(size: GrownSize): Iterable<PlantedResource> {
  const environment = size.environment ?? BASE_ENVIRONMENT;
  const plant = function* (path: string, name: string, extra = {}): Iterable<PlantedResource> {
    const texts = { path: '', title: name, description: name, parts: [title(name), text(`This is ${name}.`)] };
    for (const resource of pageResources(path, texts, extra)) yield { environment, ...resource };
  };
  yield* plant(ROOT, 'Grown', { 'cq:conf': '/conf/wknd' });
  for (let site = 0; site < size.sites; site += 1) {
    const country = countryCode(Math.floor(site / GROWN_LANGUAGES.length));
    const language = GROWN_LANGUAGES[site % GROWN_LANGUAGES.length] ?? 'en';
    if (site % GROWN_LANGUAGES.length === 0) yield* plant(`${ROOT}/${country}`, `Country ${country}`);
    const home = `${ROOT}/${country}/${language}`;
    yield* plant(home, `${country} ${language}`, { 'jcr:language': language, 'jcr:mixinTypes': ['cq:LiveRelationship', 'cq:LiveSync'] });
    yield {
      environment,
      path: `${home}/jcr:content/cq:LiveSyncConfig`,
      properties: { 'jcr:primaryType': 'cq:LiveCopy', 'cq:master': `/content/wknd/language-masters/${language}`, 'cq:isDeep': true },
    };
    for (let page = 1; page < size.pagesPerSite; page += 1) {
      const folder = page <= 10 ? '' : `/page-${((Math.floor((page - 1) / 10) - 1) % 10) + 1}`;
      yield* plant(`${home}${folder}/page-${page}`, `Page ${page} of ${country} ${language}`);
    }
  }
}

/** `200x100` as 200 sites of 100 pages; undefined for an empty text. Throws a message if it is neither. */
export function parseGrownSize(text: string | undefined): GrownSize | undefined {
  if (text === undefined || text === '') return undefined;
  const [, sites, pages] = /^(\d{1,5})x(\d{1,4})$/.exec(text) ?? [];
  if (sites === undefined || pages === undefined) throw new Error(`SANDBOX_GROWN is "${text}": write sites x pages, for example 200x100.`);
  return { sites: Number(sites), pagesPerSite: Number(pages) };
}

/** aa, ab, … zz, aaa, … */
function countryCode(index: number): string {
  let rest = index;
  let code = '';
  for (let letter = 0; letter < 2 || rest > 0; letter += 1) {
    code = String.fromCharCode(97 + (rest % 26)) + code;
    rest = Math.floor(rest / 26);
  }
  return code;
}
