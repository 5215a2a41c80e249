import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Refusal } from '../../domain/errors.ts';
import { completeCode } from '../../sites/complete-site.ts';
import type { Operation } from '../../domain/operation.ts';

/** Looks at a code source before a site uses it. The site need not exist. */
export const checkCode: Operation<(typeof endpoints)['checkCode']> = async ({ codeSources, settings }, { params, query }) => {
  const { type, owner, repo, ref = DEFAULT_REF, url } = query;
  if (type === 'github' && url !== undefined) {
    const [error] = completeCode({ owner, repo, source: { type, url } }, settings.codeHost).errors;
    if (error !== undefined) throw new Refusal('QUERY_INVALID', `The query parameter url is not valid: ${error.detail}`);
  }
  const look = await codeSources.look({ org: params.org, type, owner, repo, ...(url === undefined ? {} : { url }) }, ref);
  return { result: 'done', body: { type, owner, repo, ref, ...look } satisfies CodeCheck };
};
