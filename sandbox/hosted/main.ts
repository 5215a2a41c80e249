import { EXAMPLE } from './example.ts';
import { startHosted } from './start-hosted.ts';

const portOf = (setting: string, otherwise: number) => Number(process.env[setting] ?? otherwise);

const PAGE =
  '<!doctype html><html lang="en"><title>Tarnfell</title><body><header></header><main><h1>Tarnfell</h1></main><footer></footer></body></html>';
const models = Object.fromEntries(['definition', 'models', 'filters'].map((name) => [`/component-${name}.json`, '{}']));

/** The stand-in as a separate program: prints its addresses and how to sign in. */
const hosted = await startHosted({
  // What a site needs to be fine: the code of the example's repository, and a home page.
  switches: { codeFiles: { 'wknd/wknd': { '/': PAGE, '/head.html': '', ...models } } },
  port: portOf('HOSTED_PORT', 4008),
  successorPort: portOf('HOSTED_SUCCESSOR_PORT', 4009),
});
process.stdout.write(`Hosted configuration service: ${hosted.address}
Its next generation:          ${hosted.successor}
Hosts of sites:               main--<site>--<org>.${hosted.previewDomain} and .${hosted.liveDomain}
Switches:                     GET and POST ${hosted.address}/sandbox/hosted, faults: POST …/sandbox/hosted/faults
A session of ${EXAMPLE.admin}, to be sent as x-auth-token:
${hosted.token('session', { email: EXAMPLE.admin })}
`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void hosted.close());
