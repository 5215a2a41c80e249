import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { portsFrom } from './addresses.ts';
import { projectRoot } from './project-root.ts';
import { parseFleetSize } from './seed/fleet-roots.ts';
import { parseGrownSize } from './seed/grow-tree.ts';
import { startSandbox } from './start.ts';
import { welcome } from './welcome.ts';

const CONSOLE_SERVER_PORT = 4012;

/** `npm start`, and with `--development` the programs behind `npm run dev`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      development: { type: 'boolean', default: false },
      'extension-origin': { type: 'string', multiple: true, default: [] },
      sites: { type: 'string' },
    },
  });
  const { development, 'extension-origin': extensionOrigins } = values;
  const fleet = parseFleetSize(values.sites);
  const grown = parseGrownSize(process.env['SANDBOX_GROWN']);
  const sandbox = await startSandbox({
    ports: portsFrom(process.env),
    dataDir: process.env['SANDBOX_DATA'] ?? join(projectRoot(), 'data', ...(fleet === 0 ? [] : [`sites-${fleet}`])),
    log: (sentence) => process.stderr.write(`${sentence}\n`),
    extensionOrigins,
    fleet,
    ...(grown === undefined ? {} : { grown }),
    ...(development ? { development: { consoleServerPort: CONSOLE_SERVER_PORT } } : {}),
  });
  process.stdout.write(welcome(sandbox.addresses, sandbox.dataDir));
  let stopping = false;
  const end = () => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stdout.write('\nStopping …\n');
    void sandbox.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
