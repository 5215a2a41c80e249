import { once } from 'node:events';
import { join } from 'node:path';
import { startCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import { startVendorHost } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';

/** The sandbox's code host and git vendor as one program, on data below the given folder. Prints their addresses; ends on SIGTERM. */
const [folder = '.'] = process.argv.slice(2);
const stopping = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
const codeHost = await startCodeHost({ port: 0, dataDir: folder });
const vendor = await startVendorHost({ port: 0, dataDir: join(folder, 'vendor') });
process.stdout.write(`${JSON.stringify({ codeHost: codeHost.address, vendor: vendor.address })}\n`);
await stopping;
await Promise.all([codeHost.stop(), vendor.stop()]);
