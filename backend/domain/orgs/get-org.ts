import type { endpoints } from '#contract/endpoints.ts';
import type { Verb } from '../verb.ts';
import { findOrg } from './find-org.ts';

export const getOrg: Verb<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const { config, etag } = await findOrg(context, params.org);
  return { status: 200, body: config, etag };
};
