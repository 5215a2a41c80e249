import type { Running } from '@repoless/sandbox/web.ts';
import { createServer } from 'node:http';
import { listen } from './listen.ts';

/** A code host with these organizations and no files: all that claiming by an operator needs. */
export async function startOrganizations(...names: readonly string[]): Promise<Running> {
  const server = createServer((request, response) => {
    const [, org] = /^\/orgs\/([^/]+)$/.exec(request.url ?? '') ?? [];
    response.writeHead(org !== undefined && names.includes(org) ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  return await listen(server);
}

/** A code host with these files on `main`, by `<owner>/<repo>/<path>`; addresses that contain `unreachable` are answered 500. */
export async function startCodeHostOfFiles(files: ReadonlyMap<string, string>) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    if (path.includes('unreachable')) return void response.writeHead(500).end();
    const text = files.get(path.slice(1).replace('/main/', '/'));
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  return await listen(server);
}
