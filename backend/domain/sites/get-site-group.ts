import type { endpoints } from '#contract/endpoints.ts';
import { etagOf } from '../canonical.ts';
import type { Verb } from '../verb.ts';
import { findSite, partNotFound } from './find-site.ts';
import { groupOf } from './site-group.ts';

export const getSiteGroup: Verb<(typeof endpoints)['getSiteGroup']> = async (context, { params }) => {
  const { config } = await findSite(context, params);
  const group = groupOf(config, params.group);
  if (group === undefined) throw partNotFound(`group "${params.group}"`, params);
  return { status: 200, body: group, etag: etagOf(group) };
};
