import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { findSite } from './find-site.ts';

export const getSite: Verb<(typeof endpoints)['getSite']> = async (context, { params }) => {
  const { config, etag } = await findSite(context, params);
  return { status: 200, body: config, etag };
};
