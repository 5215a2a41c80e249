import type { endpoints } from '@repoless/contract/endpoints.ts';
import { SERVED_FILE } from '@repoless/contract/job.ts';
import type { CodeFileStatus } from '@repoless/contract/job.ts';
import { Refusal } from '../../domain/errors.ts';
import { findOrigin } from '../jobs/find-job.ts';
import type { Operation } from '../../domain/operation.ts';
import type { CodeFiles } from './ports.ts';

/** Which repository a site uses, and its branches that are served. */
export const getCode: Operation<(typeof endpoints)['getCode']> = async (context, { params }) => {
  const { origin } = await findOrigin(context, params);
  const branches = await context.store.code.branches(origin.key);
  return { result: 'done', body: { owner: origin.owner, repo: origin.repo, branches: branches.map(({ branch }) => branch).toSorted() } };
};

/** Whether a file is served: clients of the public API ask this until the code of a new site is there. */
export function getCodeFile(files: CodeFiles): Operation<(typeof endpoints)['getCodeFile']> {
  return async (context, { params }) => {
    const { origin } = await findOrigin(context, params);
    const { ref, path } = params;
    const file = await files.find(origin.key, ref, path);
    if (file === undefined) throw new Refusal('FILE_NOT_FOUND', `The synchronised code of branch "${ref}" has no file "/${path}".`);
    const body: CodeFileStatus = {
      webPath: `/${path}`,
      resourcePath: `/${path}`,
      code: { ...SERVED_FILE, size: file.size, sha256: file.hash },
    };
    return { result: 'done', body };
  };
}
