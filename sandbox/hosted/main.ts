import { EXAMPLE } from './example.ts';
import { startHosted } from './start-hosted.ts';

const portOf = (setting: string, otherwise: number) => Number(process.env[setting] ?? otherwise);

/** The stand-in as a program of its own: says where it is and how to sign in. */
const hosted = await startHosted({ port: portOf('HOSTED_PORT', 4008), successorPort: portOf('HOSTED_SUCCESSOR_PORT', 4009) });
process.stdout.write(`Hosted configuration service: ${hosted.address}
Its next generation:          ${hosted.successor}
Hosts of sites:               main--<site>--<org>.${hosted.previewDomain} and .${hosted.liveDomain}
Switches:                     GET and POST ${hosted.address}/sandbox/hosted, faults: POST …/sandbox/hosted/faults
A session of ${EXAMPLE.admin}, to be sent as x-auth-token:
${hosted.token('session', { email: EXAMPLE.admin })}
`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void hosted.close());
