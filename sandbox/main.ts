import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Addresses, portsFrom, projectRoot } from './addresses.ts';
import { ACCOUNTS, PASSWORD } from './identity-provider/accounts.ts';
import { parseFleetSize, parseGrownSize } from './seed/fleet-roots.ts';
import { startSandbox } from './start.ts';
import { ACCESS_TOKEN } from './vendor-host/start-vendor-host.ts';

const CONSOLE_SERVER_PORT = 4012;

/** `npm start`, and with `--development` the programs behind `npm run dev`. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      development: { type: 'boolean', default: false },
      'extension-origin': { type: 'string', multiple: true, default: [] },
      sites: { type: 'string' },
      hosted: { type: 'boolean', default: false },
    },
  });
  const { development, hosted, 'extension-origin': extensionOrigins } = values;
  const fleet = parseFleetSize(values.sites);
  const grown = parseGrownSize(process.env['SANDBOX_GROWN']);
  const sandbox = await startSandbox({
    ports: portsFrom(process.env),
    dataDir: process.env['SANDBOX_DATA'] ?? join(projectRoot(), 'data', ...(hosted ? ['hosted'] : fleet === 0 ? [] : [`sites-${fleet}`])),
    log: (sentence) => process.stderr.write(`${sentence}\n`),
    extensionOrigins,
    fleet,
    hosted,
    ...(grown === undefined ? {} : { grown }),
    ...(development ? { development: { consoleServerPort: CONSOLE_SERVER_PORT } } : {}),
  });
  process.stdout.write(welcome(sandbox.addresses, sandbox.dataDir, hosted));
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

/** Printed once everything is up: the addresses, who can sign in, and what to try. */
function welcome(addresses: Addresses, dataDir: string, isHosted: boolean): string {
  const programs: readonly (readonly [string, string])[] = [
    ['Console (start here)', addresses.console],
    ['Service', addresses.backend],
    ['API page', `${addresses.backend}/`],
    ['Preview hosts', `http://main--<site>--<org>.${addresses.previewDomain}`],
    ['Live hosts', `http://main--<site>--<org>.${addresses.liveDomain}`],
    ['Extension', addresses.extension],
    ['Authoring system', addresses.author],
    ['its second environment', addresses.secondAuthor],
    ['Identity provider', addresses.identity],
    ['Code host', addresses.codeHost],
    ['Build management', addresses.buildManagement],
    ['External git vendor', addresses.vendorHost],
    ...(isHosted ? [['Hosted service', addresses.hosted] as const] : []),
  ];
  const accounts = ACCOUNTS.map(({ email, role }) => [email, role] as const);
  return `
The sandbox is up. Open ${addresses.console} in a browser.

Addresses
${table(programs)}

Accounts (the password of each is "${PASSWORD}")
${table(accounts)}

What to try
  1. Sign in at the console as ${ACCOUNTS[0]?.email ?? 'the first account'}.
  2. In the tree, select the root of a site that is not set up, for example "Tarnfell Summit School".
  3. Press the extension's button above the page, read the plan, apply it, and watch the project type change last.
  4. Open /config.json of the new site on its preview and live hosts. Undo the setup in the same panel.
  5. Break a stand-in under "Simulate faults" and see how the extension reacts.
  6. Onboard ${addresses.vendorHost}/northwind/storefront.git with the access token ${ACCESS_TOKEN} (vendor GitHub
     Enterprise), enter the webhook's address and secret at ${addresses.vendorHost}/northwind/storefront, then clone and push there
     as ${ACCOUNTS[0]?.email ?? 'the first account'}.

Data is stored in ${dataDir} (delete that folder to start over). The service's log is in ${dataDir}/backend.log. Stop with Ctrl+C.
`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.map(([first, second]) => `  ${first.padEnd(width)}${second}`).join('\n');
}
