import { type Addresses, addressesOf, freePorts } from '@repoless/sandbox/addresses.ts';
import { startAuthoringSystem } from '@repoless/sandbox/authoring-system/start-authoring-system.ts';
import { backendEnvironment, buildManagementEnvironment } from '@repoless/sandbox/backend-process.ts';
import { startCodeHost, startVendorHost } from '../support/git-hosts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { startBackend } from '@repoless/service/app.ts';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { readSettings } from '@repoless/service/config.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkAnswers } from '../support/check-answers.ts';

/** The service, build management and the sandbox around them, with nothing registered yet. */
export interface DocumentedWorld {
  readonly addresses: Addresses;
  stop(): Promise<void>;
}

export const WEBHOOK_SECRET = 'secret-of-the-code-host';

/** Starts everything in this process from the sources, so that the documentation is tested against these, built or not. */
export async function startDocumentedWorld(): Promise<DocumentedWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-docs-'));
  const ports = await freePorts();
  const addresses = addressesOf(ports);
  const { backend, console: consoleAddress, identity } = addresses;
  const started: Pick<Running, 'stop'>[] = [];
  const dataDir = (program: string) => join(folder, program);
  const stop = async () => {
    for (const program of started.splice(0).toReversed()) await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    started.push(
      await startIdentityProvider({ port: ports.identity, backend, console: consoleAddress, dataDir: dataDir('identity') }),
      await startCodeHost({ port: ports.codeHost, dataDir: dataDir('code-host') }),
      await startVendorHost({ port: ports.vendorHost, dataDir: dataDir('vendor-host') }),
      await startAuthoringSystem({
        port: ports.authoring,
        dataDir: dataDir('authoring'),
        identityProvider: identity,
        edgeHost: addresses.liveDomain,
      }),
    );
    const further = {
      GITHUB_WEBHOOK_SECRET: WEBHOOK_SECRET,
      FIRST_CODE_SYNC: 'no',
      SITE_CHECK_INTERVAL: '0',
      CODE_RETRY_DELAY: '1',
      LOG_LEVEL: 'silent',
    };
    started.push(await startBackend(readSettings({ ...backendEnvironment(ports, addresses, dataDir('backend')), ...further })));
    const building = buildManagementEnvironment(ports, addresses, dataDir('build-management'));
    started.push(await startBuildManagement(readBuildManagementSettings({ ...building, LOG_LEVEL: 'silent' })));
    const answers = [
      checkAnswers('service', ports.backend, (host) => host === new URL(backend).host),
      checkAnswers('build-management', ports.buildManagement, () => true),
    ];
    return {
      addresses,
      async stop() {
        await stop();
        for (const one of answers) one.stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
