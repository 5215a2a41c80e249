import type { Addresses } from './addresses.ts';
import { ACCOUNTS, PASSWORD } from './identity-provider/accounts.ts';
import { ACCESS_TOKEN } from './vendor-host/access.ts';

/** What the terminal shows once everything is up: where things are, who can sign in, what to try. */
export function welcome(addresses: Addresses, dataDir: string): string {
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
