import type { endpoints } from '#contract/endpoints.ts';
import { etagOf } from '../canonical.ts';
import type { Verb } from '../verb.ts';
import { proposeMigration } from './migrate-site.ts';
import { shownSite } from './shown-site.ts';

export const getSite: Verb<(typeof endpoints)['getSite']> = async (context, { params, query }) => {
  if (query.migrate === true) {
    const body = await proposeMigration(context, params, query);
    return { status: 200, body, etag: etagOf(body) };
  }
  const { config, etag } = await shownSite(context, params);
  return { status: 200, body: config, etag };
};
