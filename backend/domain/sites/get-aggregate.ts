import type { endpoints } from '#contract/endpoints.ts';
import { etagOf } from '../canonical.ts';
import { rolesOf } from '../roles/roles-of.ts';
import type { Verb } from '../verb.ts';
import { siteNotFound } from './find-site.ts';
import { redactedSite } from './redacted-site.ts';

/**
 * What holds for a site. Who administers its configuration sees all of it; who has the role `config` alone, and everybody
 * where `requireAuth` is false, sees nothing of people, keys and secrets (service contract, section 3).
 */
export const getAggregate: Verb<(typeof endpoints)['getAggregate']> = async ({ store, caller }, { params }) => {
  const { org, site } = await store.reads.orgAndSite(params.org, params.site);
  if (org === undefined || site === undefined) throw siteNotFound(params);
  const roles = rolesOf(caller, org.config, site.aggregate);
  const body = roles.has('admin') || roles.has('config_admin') ? site.aggregate : redactedSite(site.aggregate);
  return { status: 200, body, etag: etagOf(body) };
};
