import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import { EDGE_CONFIGURATION, EdgeConfiguration, Sheet } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringProxy } from '../api/authoring-proxy.ts';
import { PREVIOUS_PROPERTY } from '../situation/edge-configuration.ts';
import { isAsMade, newConfiguration, placeOfNew } from '../situation/configuration-place.ts';
import type { AuthoringSettings, Setting } from '../situation/settings.ts';
import type { Known } from '../situation/situation.ts';
import { readEdgeConfiguration } from './edge-configuration-in-force.ts';
import type { EdgeConfigurationInForce } from './edge-configuration-in-force.ts';
import { nearest, readPageChain } from './page-chain.ts';
import type { PageChain } from './page-chain.ts';
import { parsePrevious } from './previous-record.ts';
import { readSling } from './read-sling.ts';

const MISSING: Setting = { source: { kind: 'missing' } };

/**
 * Reads what an author set for the site of a page, each value with its source. The root of the site is the nearest page,
 * the page itself first, that has a cloud configuration of its own or is the root of a live copy (a locale); where there is
 * none, the page at the level below `/content`. `isRoot`: it is the page itself, because the service has a site there.
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
  const place = placeOfNew(siteRoot, configuration, !isOwn);
  const unselected = place === undefined || conf.state === 'known' ? undefined : await readUnselected(proxy, place);
  if (unselected?.state === 'failed') return unselected;
  const begun = unselected?.state === 'known' && hasRecord(unselected.value) ? unselected.value : undefined;
  const inForce = edge.state === 'known' ? edge.value : begun;
  const own = isOwn || begun !== undefined;
  const [organization, siteName] = [property(inForce, 'owner', own), property(inForce, 'repo', own)];
  const delivery = deliveryAddress(proxy.author, info, organization.value, siteName.value);
  const publisher = delivery === undefined ? undefined : await publisherOf(proxy, delivery);
  const previous = own ? parsePrevious(inForce?.values[PREVIOUS_PROPERTY]) : undefined;
  const found = unselected?.state === 'known' ? unselected.value.values : undefined;
  const made = previous?.configuration?.created !== undefined && inForce !== undefined ? inForce.values : undefined;
  const title = contentOf(chain.value, siteRoot)?.['jcr:title'];
  const liveCopyOf = contentOf(chain.value, siteRoot)?.['cq:LiveSyncConfig']?.['cq:master'];
  return {
    state: 'known',
    value: {
      author: proxy.author,
      page,
      siteRoot,
      projectType: property(inForce, 'projectType', own),
      organization,
      siteName,
      configurationPage: { value: `${siteRoot}/configuration`, source: { kind: 'derived' } },
      technicalAccount: technicalAccount(info, inForce, own, publisher),
      cloudConfiguration: configuration,
      deliveryAddress: delivery === undefined ? MISSING : { value: delivery, source: { kind: 'derived' } },
      ...(publisher === undefined ? {} : { publishAccount: publisher.value }),
      ...(conf.state === 'known' && !own ? { configurationMissing: true } : {}),
      ...(place === undefined
        ? {}
        : { newConfiguration: newConfiguration(place, found, { keeps: begun !== undefined, selects: conf.state !== 'known' }) }),
      ...(made === undefined || previous === undefined
        ? {}
        : { createdConfiguration: isAsMade(made, previous, info) ? 'as-made' : 'changed' }),
      ...(title === undefined ? {} : { title }),
      ...(liveCopyOf === undefined ? {} : { liveCopyOf }),
      ...(previous === undefined ? {} : { previous }),
    },
  };
}

/** A configuration that nothing selects: one whose setup was cut short, or put back in part. */
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

/** The account that the sheet at the delivery address names as the publisher. */
async function publisherOf(proxy: AuthoringProxy, delivery: string): Promise<Publisher | undefined> {
  const address = `${delivery}${CONFIGURATION_PATH}`;
  const sheet = await readSling(proxy, address.slice(proxy.author.length), Sheet);
  const row = sheet.state === 'known' ? sheet.value.data.find(({ key }) => key === 'admin.role.publish') : undefined;
  return row === undefined || row.value === '' ? undefined : { value: row.value, address };
}

/** From the Authentication tab of the configuration, else from the sheet that the delivery address shows. */
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
