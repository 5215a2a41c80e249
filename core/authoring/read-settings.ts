import { defined } from '@repoless/contract/json.ts';
import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { EDGE_CONFIGURATION, EdgeConfiguration, PageContent, pathsUpwards, Sheet } from '@repoless/contract/authoring.ts';
import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { z } from 'zod';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import { parseJson } from '../api/exchange.ts';
import type { Known } from '../situation/call.ts';
import { isUnchangedConfiguration, newConfiguration, pathOfNew, PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import type { AuthoringSettings, Previous, Setting } from '../situation/situation.ts';
import { readSling } from './sling.ts';

const MISSING: Setting = { source: { kind: 'missing' } };

/**
 * Reads what an author set for the site of a page, each value with its source. The root of the site is the nearest page,
 * starting with the page itself, that has its own cloud configuration or is the root of a live copy (a locale); if there is
 * none, the page at the level below `/content`. `isRoot`: the page itself is the root, because the service has a site
 * there.
 */
export async function readSettings(
  proxy: AuthoringProxy,
  page: string,
  info: ServiceInfo,
  isRoot = false,
): Promise<Known<AuthoringSettings>> {
  const chain = await readPageChain(proxy, page);
  if (chain.state !== 'known') return chain;
  const conf = nearest(chain.value, (content) => content['cq:conf'] || undefined);
  if (conf.state === 'failed') return conf;
  const edge = conf.state === 'known' ? await readEdgeConfiguration(proxy, conf.value.value) : conf;
  if (edge.state === 'failed') return edge;
  const siteRoot = isRoot ? page : siteRootOf(chain.value);
  const configuration = conf.state === 'known' ? cloudConfiguration(conf.value, siteRoot) : MISSING;
  const isOwn = edge.state === 'known' && conf.state === 'known' && edge.value.conf === conf.value.value;
  const newPath = pathOfNew(siteRoot, configuration, !isOwn);
  const unselected = newPath === undefined || conf.state === 'known' ? undefined : await readUnselected(proxy, newPath);
  if (unselected?.state === 'failed') return unselected;
  const started = unselected?.state === 'known' && hasRecord(unselected.value) ? unselected.value : undefined;
  const edgeSettings = edge.state === 'known' ? edge.value : started;
  const own = isOwn || started !== undefined;
  const [organization, siteName] = [property(edgeSettings, 'owner', own), property(edgeSettings, 'repo', own)];
  const delivery = deliveryAddress(proxy.author, info, organization.value, siteName.value);
  const publisher = delivery === undefined ? undefined : await publisherOf(proxy, delivery);
  const previous = own ? parsePrevious(edgeSettings?.values[PREVIOUS_PROPERTY]) : undefined;
  const found = unselected?.state === 'known' ? unselected.value.values : undefined;
  const edgeValues = previous?.configuration?.created !== undefined && edgeSettings !== undefined ? edgeSettings.values : undefined;
  const configurationLockedBy = own ? edgeSettings?.values['jcr:lockOwner'] : undefined;
  const title = contentOf(chain.value, siteRoot)?.['jcr:title'];
  const liveCopyOf = contentOf(chain.value, siteRoot)?.['cq:LiveSyncConfig']?.['cq:master'];
  return {
    state: 'known',
    value: {
      author: proxy.author,
      page,
      siteRoot,
      projectType: property(edgeSettings, 'projectType', own),
      organization,
      siteName,
      configurationPage: { value: `${siteRoot}/configuration`, source: { kind: 'derived' } },
      technicalAccount: technicalAccount(info, edgeSettings, own, publisher),
      cloudConfiguration: configuration,
      deliveryAddress: delivery === undefined ? MISSING : { value: delivery, source: { kind: 'derived' } },
      ...(publisher === undefined ? {} : { publishAccount: publisher.value }),
      ...(conf.state === 'known' && !own ? { configurationMissing: true } : {}),
      ...(newPath === undefined
        ? {}
        : { newConfiguration: newConfiguration(newPath, found, { keeps: started !== undefined, selects: conf.state !== 'known' }) }),
      ...(edgeValues === undefined || previous === undefined
        ? {}
        : { createdConfiguration: isUnchangedConfiguration(edgeValues, previous, info) ? 'as-made' : 'changed' }),
      ...defined({ configurationLockedBy, title, liveCopyOf, previous }),
    },
  };
}

/** A configuration that no page selects: its setup was interrupted, or partly undone. */
async function readUnselected(proxy: AuthoringProxy, conf: string): Promise<Known<EdgeConfigurationInForce>> {
  const found = await readSling(proxy, `${conf}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration);
  return found.state === 'known' ? { state: 'known', value: { conf, values: found.value } } : found;
}

function hasRecord({ values }: EdgeConfigurationInForce): boolean {
  return parsePrevious(values[PREVIOUS_PROPERTY]) !== undefined;
}

function siteRootOf(chain: PageChain): string {
  const root = nearest(chain, (content) => content['cq:conf'] || content['cq:LiveSyncConfig']?.['cq:master'] || undefined);
  return root.state === 'known' ? root.value.path : (chain.levels.at(-1)?.path ?? chain.page.path);
}

function contentOf(chain: PageChain, path: string) {
  const content = chain.levels.find((level) => level.path === path)?.content;
  return content?.state === 'known' ? content.value : undefined;
}

function cloudConfiguration(conf: { path: string; value: string }, siteRoot: string): Setting {
  const source = conf.path === siteRoot ? ({ kind: 'page', path: conf.path } as const) : ({ kind: 'inherited', from: conf.path } as const);
  return { value: conf.value, source };
}

function property(edge: EdgeConfigurationInForce | undefined, name: string, own: boolean): Setting {
  const value = edge?.values[name];
  if (edge === undefined || typeof value !== 'string' || value === '') return MISSING;
  const source = own
    ? ({ kind: 'configuration', path: `${edge.conf}/${EDGE_CONFIGURATION}` } as const)
    : ({ kind: 'inherited', from: edge.conf } as const);
  return { value, source };
}

function deliveryAddress(author: string, info: ServiceInfo, org: string | undefined, site: string | undefined): string | undefined {
  if (org === undefined || site === undefined) return undefined;
  return printDeliveryAddress({ author, connector: info.connector, org, site, ref: DEFAULT_REF });
}

interface Publisher {
  readonly value: string;
  readonly address: string;
}

/** The publishing account named in the sheet at the delivery address. */
async function publisherOf(proxy: AuthoringProxy, delivery: string): Promise<Publisher | undefined> {
  const address = `${delivery}${CONFIGURATION_PATH}`;
  const sheet = await readSling(proxy, address.slice(proxy.author.length), Sheet);
  const row = sheet.state === 'known' ? sheet.value.data.find(({ key }) => key === 'admin.role.publish') : undefined;
  return row === undefined || row.value === '' ? undefined : { value: row.value, address };
}

/** From the Authentication tab of the configuration, otherwise from the sheet at the delivery address. */
function technicalAccount(
  info: ServiceInfo,
  edge: EdgeConfigurationInForce | undefined,
  own: boolean,
  publisher: Publisher | undefined,
): Setting {
  const shown = property(edge, info.technicalAccountProperty, own);
  if (shown.value !== undefined || publisher === undefined) return shown;
  return { value: publisher.value, source: { kind: 'delivery', address: publisher.address } };
}

interface EdgeConfigurationInForce {
  /** The `/conf` path that contains it: the requested one, or one above. */
  readonly conf: string;
  readonly values: EdgeConfiguration;
}

/** The Edge Delivery configuration of a `/conf` path, or of the nearest one above that has one. */
async function readEdgeConfiguration(proxy: AuthoringProxy, conf: string): Promise<Known<EdgeConfigurationInForce>> {
  const paths = conf.startsWith('/conf/') ? pathsUpwards(conf) : [];
  const answers = await Promise.all(
    paths.map((path) => readSling(proxy, `${path}/${EDGE_CONFIGURATION}/jcr:content.json`, EdgeConfiguration)),
  );
  for (const [index, answer] of answers.entries()) {
    const path = paths[index];
    if (answer.state === 'failed') return answer;
    if (answer.state === 'known' && path !== undefined) return { state: 'known', value: { conf: path, values: answer.value } };
  }
  return { state: 'missing' };
}

const Content = PageContent.extend({ 'cq:LiveSyncConfig': z.looseObject({ 'cq:master': z.string().optional() }).optional() });
type Content = z.infer<typeof Content>;

/** A page with its ancestors up to the level below `/content`, the page itself first. */
interface PageChain {
  readonly page: { readonly path: string; readonly content: Content };
  readonly levels: readonly { readonly path: string; readonly content: Known<Content> }[];
}

/** Reads the properties of a page and its ancestors concurrently. */
async function readPageChain(proxy: AuthoringProxy, page: string): Promise<Known<PageChain>> {
  if (!page.startsWith('/content/') || `${page}/`.includes('//')) return { state: 'missing' };
  const paths = pathsUpwards(page);
  const contents = await Promise.all(paths.map((path) => readSling(proxy, `${path}/jcr:content.1.json`, Content)));
  const [own] = contents;
  if (own?.state !== 'known') return own ?? { state: 'missing' };
  const levels = paths.flatMap((path, index) => {
    const content = contents[index];
    return content === undefined ? [] : [{ path, content }];
  });
  return { state: 'known', value: { page: { path: page, content: own.value }, levels } };
}

/** The nearest level whose properties `pick` accepts; a level that cannot be read ends the search. */
function nearest<T>(chain: PageChain, pick: (content: Content) => T | undefined): Known<{ path: string; value: T }> {
  for (const { path, content } of chain.levels) {
    if (content.state === 'failed') return content;
    const value = content.state === 'known' ? pick(content.value) : undefined;
    if (value !== undefined) return { state: 'known', value: { path, value } };
  }
  return { state: 'missing' };
}

const value = z.string().nullable();
const PreviousRecord = z.object({
  at: z.string(),
  by: z.string(),
  projectType: value,
  organization: value,
  siteName: value,
  siteVersion: z.number().int().nullable(),
  org: z.string(),
  site: z.string(),
  configurationPageCreated: z.boolean(),
  configurationPages: z.array(z.string().startsWith('/content/')).optional(),
  configuration: z
    .object({ created: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(), selected: z.boolean() })
    .optional(),
});

/** The record of the values before an apply; undefined if it is missing or invalid. */
function parsePrevious(text: unknown): Previous | undefined {
  const parsed = PreviousRecord.safeParse(typeof text === 'string' ? parseJson(text) : undefined);
  return parsed.success ? parsed.data : undefined;
}
