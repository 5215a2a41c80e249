import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';

/** A backend whose sites have one content source, which tells what it was asked for. */
export interface PathsWorld {
  readonly backend: TestBackend;
  readonly address: string;
  /** Paths that the source does not have; everything else it has. */
  readonly missing: Set<string>;
  /** Registers a site, or gives it these paths; what the answer warned of. */
  put(site: string, paths: object | undefined, source?: object): Promise<string | undefined>;
  /** The status, and what the source was asked for meanwhile. */
  visit(site: string, path: string): Promise<{ status: number; asked: string[]; type: string | undefined; text: string }>;
  stop(): Promise<void>;
}

export async function startPathsWorld(): Promise<PathsWorld> {
  const asked: string[] = [];
  const missing = new Set<string>();
  const author = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path.replace(/^\/source/, ''));
    if (missing.has(path.replace(/^\/source/, ''))) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': typeOf(path) }).end(`<main>${path}</main>`);
  });
  await new Promise<void>((resolve) => author.listen(0, '127.0.0.1', resolve));
  const { port } = author.address() as AddressInfo;
  const address = `http://author.localhost:${port}/source`;
  const backend = await startTestBackend({ dryRun: false, settings: { AUTHOR_HOSTS: `author.localhost:${port}` } });
  return {
    backend,
    address,
    missing,
    async put(site, paths, source = {}) {
      const more = paths === undefined ? {} : { public: { paths } };
      const content = { source: { url: address, type: 'markup', ...source } };
      const answer = await backend.call('PUT', `/config/wknd/sites/${site}.json?replace=true`, {
        as: OPERATOR,
        body: { ...siteBody('wknd', site), content, ...more },
      });
      expect([answer.status, answer.headers['x-error']]).toEqual([expect.toBeOneOf([200, 201]), undefined]);
      return answer.headers['x-warning'];
    },
    async visit(site, path) {
      asked.length = 0;
      const { status, headers, text } = await backend.visit('live', `main--${site}--wknd`, path);
      return { status, asked: [...asked], type: headers['content-type'], text };
    },
    async stop() {
      await backend.stop();
      author.closeAllConnections();
      await new Promise((resolve) => author.close(resolve));
    },
  };
}

function typeOf(path: string): string {
  const ending = /\.([a-z0-9]+)(?:\?.*)?$/.exec(path)?.[1] ?? 'html';
  return TYPES[ending] ?? 'application/octet-stream';
}

const TYPES: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', json: 'application/json', pdf: 'application/pdf' };
