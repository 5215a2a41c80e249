import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { createLog } from '@repoless/service/log.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { startVendorHost } from '../support/git-hosts.ts';
import { ask } from '../support/ask.ts';
import { checkAnswers } from '../support/check-answers.ts';
import { addRepository } from '../build-management/world.ts';
import { cloneOf, untilStopped } from '../support/code-world.ts';
import { startSetupWorld } from './setup-world.ts';

const KEY = 'the-key-of-build-management';
const LIST = '/organizations/wknd/repositories';

/** A setup world whose service has build management, and a git vendor without a webhook: no push arrives by itself. */
export async function startWithBuilds() {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-builds-'));
  const { buildManagement: port } = await freePorts();
  const world = await startSetupWorld({ settings: { BUILD_MANAGEMENT: `http://localhost:${port}`, BUILD_MANAGEMENT_KEY: KEY } });
  const vendor = await startVendorHost({ port: 0, dataDir: join(folder, 'vendor') });
  const running = await startBuildManagement(
    readBuildManagementSettings({
      PORT: String(port),
      DATA_DIR: join(folder, 'build-management'),
      SERVICE_ADDRESS: world.backend.address,
      BUILD_MANAGEMENT_KEY: KEY,
      INTERNAL_ADDRESSES: 'allow',
      RATE_LIMIT: '0',
      OVERLOAD_DELAY: '0',
      SHUTDOWN_GRACE: '1',
    }),
    { log: createLog('info', { write: () => undefined }), now: () => new Date() },
  );
  const answers = checkAnswers('build-management', port, () => true);

  async function call(as: string, method: string, path: string, body?: object) {
    const headers = { 'x-auth-token': await world.backend.token(as) };
    return await ask(running.address, path, { method, headers, ...(body === undefined ? {} : { body }) });
  }

  return {
    ...world,
    vendor,
    address: running.address,
    call,
    /** A READY external repository: `storefront`, or a new one whose `main` was then removed. */
    async onboard(as: string, repository = 'storefront'): Promise<ExternalRepository> {
      const removeMain = repository === 'storefront' ? undefined : await addRepository(join(folder, 'vendor'), repository);
      const cloneUrl = `${vendor.address}/northwind/${repository}.git`;
      const body = { programId: '100', name: repository, vendor: 'github-enterprise', accessToken: ACCESS_TOKEN, cloneUrl };
      let found = ExternalRepository.parse((await call(as, 'POST', LIST, body)).json());
      while (found.state !== 'READY' && found.state !== 'failed') {
        await new Promise((resolve) => setImmediate(resolve));
        found = ExternalRepository.parse((await call(as, 'GET', `${LIST}/${found.repositoryId}`)).json());
      }
      await removeMain?.();
      return found;
    },
    clone: () => cloneOf(vendor.address, 'northwind/storefront', join(folder, 'clone')),
    /** Waits for the end of the latest sync of the main branch. */
    ended: async (site: string, as: string) =>
      await untilStopped(world.backend.address, `/job/wknd/${site}/main/code`, { 'x-auth-token': await world.backend.token(as) }),
    async stop() {
      await running.stop();
      await vendor.stop();
      await world.stop();
      await rm(folder, { recursive: true, force: true });
      answers.stop();
    },
  };
}
