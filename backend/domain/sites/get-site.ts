import type { endpoints } from '#contract/endpoints.ts';
import { etagOf } from '../canonical.ts';
import type { Operation } from '../operation.ts';
import { proposeMigration } from './migrate-site.ts';
import { shownSite } from './shown-site.ts';

export const getSite: Operation<(typeof endpoints)['getSite']> = async (context, { params, query }) => {
  if (query.migrate === true) {
    const body = await proposeMigration(context, params, query);
    return { result: 'done', body, etag: etagOf(body) };
  }
  const { config, etag } = await shownSite(context, params);
  return { result: 'done', body: config, etag };
};
