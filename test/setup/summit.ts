import { ADA, type SetupWorld } from './setup-world.ts';

/** A site root that is not set up. */
export const PAGE = '/content/summit';
export const SITE = '/config/wknd/sites/summit.json';
export const CONFIGURATION = '/conf/summit/settings/cloudconfigs/edge-delivery-service-configuration/_jcr_content';

/** What an undo must restore: the configuration, and whether site, configuration page and config.json exist. */
export async function summitOf(world: SetupWorld): Promise<unknown> {
  const service = await world.backend.call('GET', SITE, { as: ADA });
  const page = await world.author.get(`${PAGE}/configuration.json`, { as: ADA });
  const config = await world.backend.visit('preview', 'main--summit--wknd', '/config.json');
  return { edge: await world.edgeConfiguration('/conf/summit'), statuses: [service.status, page.status, config.status] };
}
