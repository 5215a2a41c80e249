import type { endpoints } from '#contract/endpoints.ts';
import type { Operation } from '../operation.ts';
import { etagOf } from '../canonical.ts';
import { findOrg } from './find-org.ts';
import { issuedKeys, withIssuedKeys } from './issued-keys.ts';

export const getOrg: Operation<(typeof endpoints)['getOrg']> = async (context, { params }) => {
  const { config, etag } = await findOrg(context, params.org);
  const body = withIssuedKeys(config, await issuedKeys(context.caller, context.store.reads, config));
  return { result: 'done', body, etag: body === config ? etag : etagOf(body) };
};
