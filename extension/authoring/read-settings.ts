import { DEFAULT_REF } from '#contract/names.ts';
import { printDeliveryAddress } from '#contract/addresses.ts';
import { CONFIGURATION_PATH } from '#contract/mappings.ts';
import { EDGE_CONFIGURATION, Sheet } from '#contract/authoring.ts';
import type { ServiceInfo } from '#contract/service.ts';
import type { Relay } from '#extension/api/relay.ts';
import { PREVIOUS_PROPERTY } from '#extension/setup/edge-configuration.ts';
import type { AuthoringSettings, Setting } from '#extension/setup/settings.ts';
import type { Known } from '#extension/setup/situation.ts';
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
 * none, the page at the level below `/content`.
 */
export async function readSettings(relay: Relay, page: string, info: ServiceInfo): Promise<Known<AuthoringSettings>> {
  const chain = await readPageChain(relay, page);
  if (chain.state !== 'known') return chain;
  const conf = nearest(chain.value, (content) => content['cq:conf'] || undefined);
  if (conf.state === 'failed') return conf;
  const edge = conf.state === 'known' ? await readEdgeConfiguration(relay, conf.value.value) : conf;
  if (edge.state === 'failed') return edge;
  const siteRoot = siteRootOf(chain.value);
  const inForce = edge.state === 'known' ? edge.value : undefined;
  const own = inForce !== undefined && conf.state === 'known' && inForce.conf === conf.value.value;
  const [organization, siteName] = [property(inForce, 'owner', own), property(inForce, 'repo', own)];
  const delivery = deliveryAddress(relay.author, info, organization.value, siteName.value);
  const previous = own ? parsePrevious(inForce.values[PREVIOUS_PROPERTY]) : undefined;
  const title = contentOf(chain.value, siteRoot)?.['jcr:title'];
  const liveCopyOf = contentOf(chain.value, siteRoot)?.['cq:LiveSyncConfig']?.['cq:master'];
  return {
    state: 'known',
    value: {
      author: relay.author,
      page,
      siteRoot,
      projectType: property(inForce, 'projectType', own),
      organization,
      siteName,
      configurationPage: { value: `${siteRoot}/configuration`, source: { kind: 'derived' } },
      technicalAccount: await technicalAccount(relay, info, inForce, own, delivery),
      cloudConfiguration: conf.state === 'known' ? cloudConfiguration(conf.value, siteRoot) : MISSING,
      deliveryAddress: delivery === undefined ? MISSING : { value: delivery, source: { kind: 'derived' } },
      ...(conf.state === 'known' && !own ? { configurationMissing: true } : {}),
      ...(title === undefined ? {} : { title }),
      ...(liveCopyOf === undefined ? {} : { liveCopyOf }),
      ...(previous === undefined ? {} : { previous }),
    },
  };
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

/** From the Authentication tab of the configuration, else from the sheet that the delivery address shows. */
async function technicalAccount(
  relay: Relay,
  info: ServiceInfo,
  edge: EdgeConfigurationInForce | undefined,
  own: boolean,
  delivery: string | undefined,
): Promise<Setting> {
  const shown = property(edge, info.technicalAccountProperty, own);
  if (shown.value !== undefined || delivery === undefined) return shown;
  const address = `${delivery}${CONFIGURATION_PATH}`;
  const sheet = await readSling(relay, address.slice(relay.author.length), Sheet);
  const row = sheet.state === 'known' ? sheet.value.data.find(({ key }) => key === 'admin.role.publish') : undefined;
  return row === undefined || row.value === '' ? MISSING : { value: row.value, source: { kind: 'delivery', address } };
}
