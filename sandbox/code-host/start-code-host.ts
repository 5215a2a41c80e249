import express from 'express';
import { join } from 'node:path';
import { faultSwitch } from '../faults.ts';
import type { Running } from '../running.ts';
import { listen } from '../web/listen.ts';
import { makeRepositories } from '../git-server/make-repositories.ts';
import { repositoriesIn } from '../git-server/read-repositories.ts';
import { codeHostRoutes } from './routes.ts';

export interface CodeHostOptions {
  readonly port: number;
  /** The repositories are kept here; they are made when the folder is new. */
  readonly dataDir: string;
}

/** The stand-in of the code host: git itself serves and takes the repositories; beside it an API and raw files. */
export async function startCodeHost(options: CodeHostOptions): Promise<Running> {
  const folder = join(options.dataDir, 'repositories');
  await makeRepositories('sandbox/code-host/repositories', folder);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(codeHostRoutes(folder, repositoriesIn(folder)));
  const running = await listen(options.port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
}
