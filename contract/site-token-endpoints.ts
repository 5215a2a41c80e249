import type { z } from 'zod';
import { endpoint, NO_QUERY, WRITE_ERRORS, WRITE_QUERY } from './endpoint.ts';
import { OF_PROFILE, OF_SITE } from './owners.ts';
import type { OwnerRow } from './owners.ts';
import { dryRun, json } from './site-endpoints.ts';
import { CreatedSiteToken, SiteTokenId, SiteTokenInfo, SiteTokenInput, SiteTokenList } from './site-token.ts';

const id = { id: SiteTokenId };
const ofSite = tokenRows(OF_SITE, OF_SITE.params.extend(id));
const ofProfile = tokenRows(OF_PROFILE, OF_PROFILE.params.extend(id));

/** Site tokens: a site token opens the hosts of a site for a day, whoever may read them otherwise; so only admins create them. */
export const siteTokenEndpoints = {
  listSiteTokens: ofSite.list,
  createSiteToken: ofSite.create,
  getSiteToken: ofSite.get,
  deleteSiteToken: ofSite.remove,
  listProfileTokens: ofProfile.list,
  createProfileToken: ofProfile.create,
  getProfileToken: ofProfile.get,
  deleteProfileToken: ofProfile.remove,
} as const;

function tokenRows<Params extends z.ZodObject, One extends z.ZodObject>(owner: OwnerRow<Params>, params: One) {
  const common = { tag: 'Secrets', preconditions: true } as const;
  const all = { ...common, path: `${owner.address}/tokens.json`, params: owner.params } as const;
  const one = { ...common, path: `${owner.address}/tokens/{id}.json`, params } as const;
  return {
    list: endpoint({
      method: 'GET',
      ...all,
      query: NO_QUERY,
      permission: owner.read,
      answers: {
        200: { description: 'the tokens by their identifiers, without their values', media: ['application/json'], schema: SiteTokenList },
      },
      errors: owner.missing,
      summary: `List the site tokens of ${owner.noun}`,
    }),
    create: endpoint({
      method: 'POST',
      ...all,
      query: WRITE_QUERY,
      body: json(SiteTokenInput, true),
      permission: 'keys:write',
      answers: {
        200: dryRun,
        201: { description: 'created; the value is shown only once', media: ['application/json'], schema: CreatedSiteToken },
      },
      errors: [...owner.missing, ...WRITE_ERRORS],
      summary: `Create a site token of ${owner.noun}, which opens its protected hosts for a day`,
    }),
    get: endpoint({
      method: 'GET',
      ...one,
      query: NO_QUERY,
      permission: owner.read,
      answers: { 200: { description: 'the token without its value', media: ['application/json'], schema: SiteTokenInfo } },
      errors: [...owner.missing, 'SITE_TOKEN_NOT_FOUND'],
      summary: `Read a site token of ${owner.noun} without its value`,
    }),
    remove: endpoint({
      method: 'DELETE',
      ...one,
      query: WRITE_QUERY,
      permission: 'keys:write',
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...owner.missing, 'SITE_TOKEN_NOT_FOUND'],
      summary: `Remove a site token of ${owner.noun}`,
    }),
  } as const;
}
