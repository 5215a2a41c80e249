import type { endpoints } from '#contract/endpoints.ts';
import type { Operation } from '../operation.ts';
import { findOrg } from './find-org.ts';

export const getOrg: Operation<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const { config, etag } = await findOrg(context, params.org);
  return { result: 'done', body: config, etag };
};
