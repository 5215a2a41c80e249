import type { endpoints } from '#contract/endpoints.ts';
import { etagOf } from '../canonical.ts';
import type { Verb } from '../verb.ts';
import { findSite, partNotFound } from './find-site.ts';
import { ROBOTS, TEXT } from './robots.ts';

export const getRobots: Verb<(typeof endpoints)['getRobots']> = async (context, { params }) => {
  const { config } = await findSite(context, params);
  const text = ROBOTS.read(config);
  if (typeof text !== 'string') throw partNotFound('robots.txt', params);
  return { status: 200, body: text, etag: etagOf(text), headers: TEXT };
};
