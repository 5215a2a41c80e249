import { startBackend } from './app.ts';
import { readSettings, SettingsProblem } from './config.ts';

/** The backend alone: settings from the environment, stopped by SIGTERM or SIGINT. */
async function main(): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  const backend = await startBackend(readSettings(process.env));
  process.stdout.write(`The service answers at ${backend.address}\n`);
  await asked;
  await backend.stop();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const isSentence = error instanceof SettingsProblem || error instanceof Error;
  process.stderr.write(`${isSentence ? error.message : 'The service cannot start.'}\n`);
  process.exit(1);
}
