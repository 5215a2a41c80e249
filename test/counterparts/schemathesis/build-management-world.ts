import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { startBuildManagementTarget } from '../../fuzz/build-management-target.ts';
import { ask } from '../../support/ask.ts';
import type { Tried } from './run-schemathesis.ts';
import { withExamples } from './with-examples.ts';

/** Build management between the service and a git vendor, with a repository; the examples of its document name them. */
export async function startBuildManagementWorld(): Promise<Tried & { stop(): Promise<void> }> {
  const {
    child,
    document,
    credentials,
    known: [cloneUrl = ''],
    names,
    stop,
  } = await startBuildManagementTarget();
  const authorization = (path: string) => credentials(path).findLast((headers) => 'authorization' in headers)?.['authorization'] ?? '';
  // What a call removes, or gives new credentials to, is another repository, so that the calls after it find theirs.
  const token = credentials('/organizations/')[0]?.['x-auth-token'] ?? '';
  const spareUrl = cloneUrl.replace('storefront', 'spare');
  const body = { programId: '100', name: 'spare', vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl: spareUrl };
  const asked = { method: 'POST', headers: { 'x-auth-token': token }, body };
  const spare = ExternalRepository.parse((await ask(child.address, '/organizations/wknd/repositories', asked)).json());
  return {
    address: child.address,
    document: withExamples(document, [
      { at: /^DELETE |\/(?:link|webhook)$/, names: { repository: spare.repositoryId } },
      { at: /^/, names: names() },
    ]),
    config: 'build-management.toml',
    variables: {
      TOKEN: token,
      STANDING: authorization('/standing/').replace('Bearer ', ''),
      CONTENT: authorization('/raw/'),
    },
    stop,
  };
}
