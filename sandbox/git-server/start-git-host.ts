import express, { type Response, type Router } from 'express';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { faultSwitch } from '../faults.ts';
import { accountByEmail, PASSWORD } from '../identity-provider/accounts.ts';
import { listen, type Running } from '../web.ts';
import { makeRepositories, type Repositories, repositoriesIn } from './repositories.ts';

export interface GitHostOptions {
  readonly port: number;
  /** Folder of the repositories, and of what the host stores besides. */
  readonly dataDir: string;
}

/** Starts a git host with its seeded repositories. Its faults come before its own routes, everything else is not found. */
export async function startGitHost(
  { port, dataDir }: GitHostOptions,
  seeds: 'code-host' | 'vendor-host',
  routesOf: (folder: string, repositories: Repositories) => Router | Promise<Router>,
): Promise<Running> {
  const folder = join(dataDir, 'repositories');
  await mkdir(folder, { recursive: true });
  await makeRepositories(seeds, folder);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(await routesOf(folder, repositoriesIn(folder)));
  app.use((_request, response) => notFound(response));
  const running = await listen(port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
}

export function notFound(response: Response): void {
  response.status(404).type('text').send('404: Not Found\n');
}

/** The credentials of an `authorization: Basic …` header; `account` is the person whose password they contain. */
export function basicCredentials(authorization: string | undefined): { readonly password: string; readonly account?: string } | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const password = rest.join(':');
  const account = password === PASSWORD ? accountByEmail(user)?.email : undefined;
  return { password, ...(account !== undefined && { account }) };
}
