import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBuildManagementSettings } from '@repoless/service/build-management/settings.ts';
import { startBuildManagement } from '@repoless/service/build-management/start-build-management.ts';
import { createLog } from '@repoless/service/log.ts';
import { checkAnswers } from './check-answers.ts';

export interface TestBuildManagement {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** What build management must be told to start at all. */
export const BUILD_MANAGEMENT_NEEDS = { BUILD_MANAGEMENT_KEY: 'the-key-of-build-management' };

/** Build management alone, without a service that it could ask; every answer of it is checked against its OpenAPI document. */
export async function startTestBuildManagement({
  settings = {},
  logged,
}: {
  readonly settings?: Readonly<Record<string, string>>;
  /** Gets each line of the log. */
  logged?(line: string): void;
} = {}): Promise<TestBuildManagement> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-build-'));
  const read = readBuildManagementSettings({
    PORT: '0',
    DATA_DIR: folder,
    SHUTDOWN_GRACE: '1',
    OVERLOAD_DELAY: '0',
    ...BUILD_MANAGEMENT_NEEDS,
    ...settings,
  });
  const { address, stop } = await startBuildManagement(read, { log: createLog('info', { write: (line) => logged?.(line) }) });
  const port = Number(new URL(address).port || settings['PORT']);
  const answers = checkAnswers('build-management', port, () => true);
  return {
    address,
    port,
    async stop() {
      await stop();
      await rm(folder, { recursive: true, force: true });
      answers.stop();
    },
  };
}
