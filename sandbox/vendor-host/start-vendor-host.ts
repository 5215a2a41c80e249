import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import express from 'express';
import { faultSwitch } from '../faults.ts';
import { makeRepositories } from '../git-server/make-repositories.ts';
import { repositoriesIn } from '../git-server/read-repositories.ts';
import type { Running } from '../running.ts';
import { listen } from '../web/listen.ts';
import { openHooks } from './hooks.ts';
import { vendorHostRoutes } from './routes.ts';

export interface VendorHostOptions {
  readonly port: number;
  /** The repositories and their webhooks are kept here. */
  readonly dataDir: string;
}

/** The stand-in of an external git vendor: private repositories to clone and push to, and webhooks after each push. */
export async function startVendorHost(options: VendorHostOptions): Promise<Running> {
  const folder = join(options.dataDir, 'repositories');
  await mkdir(folder, { recursive: true });
  await makeRepositories('sandbox/vendor-host/repositories', folder);
  const hooks = await openHooks(options.dataDir);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(vendorHostRoutes(folder, repositoriesIn(folder), hooks));
  const running = await listen(options.port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
}
