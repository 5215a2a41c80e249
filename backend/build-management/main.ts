import { BuildManagementSettingsProblem, readBuildManagementSettings } from './settings.ts';
import { startBuildManagement } from './start-build-management.ts';

/** Build management alone: settings from the environment, stopped by SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const running = await startBuildManagement(readBuildManagementSettings(process.env));
  process.stdout.write(`Build management answers at ${running.address}\n`);
  await asked;
  await running.stop();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const isSentence = error instanceof BuildManagementSettingsProblem || error instanceof Error;
  process.stderr.write(`${isSentence ? error.message : 'Build management cannot start.'}\n`);
  process.exit(1);
}
