import { openSnapshot, branchProbe } from '@repoless/service/code/open-snapshot.ts';
import type { CodeOrigin } from '@repoless/service/code/rules/ports.ts';
import { codeRemote } from '@repoless/service/composition/code.ts';
import { createRemote, type Remote } from '@repoless/service/remote/remote.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { lookup } from 'node:dns';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, afterEach } from 'vitest';
import { startByogit } from '../support/byogit.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { openMirrors } from '@repoless/service/build-management/git/mirrors.ts';
import type { Resolve } from '@repoless/service/remote/guarded-lookup.ts';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

let remote: Remote;

const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  remote = createRemote({ internalAddresses: 'refuse', resolve: lookup, timeout: 5000, sizeLimit: 1_000_000 });
});
const byogit = startBeforeAll(() => startByogit('secret'));
afterAll(() => remote.close());

describe('a code source at an internal address', () => {
  it.each(['127.0.0.1', 'localhost', 'host.localhost'])('is refused if git would read from %s', async (host) => {
    const origin = { type: 'github', key: 'github:a/b', repository: 'github:a/b', owner: 'a', repo: 'b' } as const;
    await expect(snapshot(origin, byogit.address.replace('127.0.0.1', host))).rejects.toThrow(/is an internal address/);
  });

  it('is refused if its files would be read by HTTP', async () => {
    const name = { key: 'byogit:acme:100/200:0', repository: 'byogit:100/200', owner: '100', repo: '200' };
    const origin = { ...name, type: 'byogit', org: 'acme', url: byogit.url, rawUrl: byogit.rawUrl } as const;
    await expect(snapshot(origin, 'https://code.example')).rejects.toThrow(/^Unable to fetch hlxignore: .* is an internal address/);
  });

  it('is never called', () => expect(byogit.requests).toEqual([]));
});

function snapshot(origin: CodeOrigin, codeHost: string) {
  const limits = {
    repositoryLimit: 1_000_000,
    fileLimit: 1_000_000,
    fileCountLimit: 1000,
    retryDelay: 1,
    syncTime: 60_000,
    listingTime: 60_000,
  };
  const nothing = async () => undefined;
  const services = {
    settings: { codeHost, mirrorDir: join(folder.path, 'mirrors'), codeDir: join(folder.path, 'code'), ...limits },
    remote: codeRemote(remote, 'refuse', lookup),
    one: <T>(_: string, work: () => Promise<T>) => work(),
    reads: { secretHolder: nothing, secret: nothing, site: nothing },
    box: readSecretBox(newSecretKeys()),
  };
  const context = { signal: new AbortController().signal, waiting: () => undefined };
  return openSnapshot(services, origin, { ref: 'main', branch: 'main' }, context);
}
describe('A pinned address', () => {
  const COMMIT = 'a'.repeat(40);
  const CHECKED = '127.0.0.2';
  const OTHER = '127.0.0.1';
  /** Which of the two addresses each request reached. */
  const reached: string[] = [];
  const servers: Server[] = [];
  let port: number;
  beforeAll(async () => {
    remote = createRemote({ internalAddresses: 'allow', timeout: 5000, sizeLimit: 1_000_000, resolve: rebinding() });
    port = await serve(CHECKED, 0);
    await serve(OTHER, port);
  });
  afterEach(() => void reached.splice(0));
  afterAll(async () => {
    await remote.close();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** A repository whose branch is `main`, at both addresses. */
  async function serve(address: string, at: number): Promise<number> {
    const line = (text: string) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
    const refs = `${line('# service=git-upload-pack\n')}0000${line(`${COMMIT} refs/heads/main\0agent=test\n`)}0000`;
    const server = createServer((_, response) => {
      reached.push(address);
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' }).end(refs);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(at, address, resolve));
    return (server.address() as AddressInfo).port;
  }

  /** A name server that first answers with the address that gets checked, then with another. */
  function rebinding(): Resolve {
    let answers = 0;
    return (_hostname, _options, callback) => {
      answers += 1;
      callback(null, [{ address: answers === 1 ? CHECKED : OTHER, family: 4 }]);
    };
  }

  async function byTheService(host: string): Promise<unknown> {
    const limits = {
      repositoryLimit: 1_000_000,
      fileLimit: 1_000_000,
      fileCountLimit: 1000,
      retryDelay: 1,
      syncTime: 60_000,
      listingTime: 60_000,
    };
    const nothing = async () => undefined;
    const probe = branchProbe({
      settings: { codeHost: `http://${host}:${port}`, mirrorDir: join(folder.path, 'mirrors'), ...limits },
      remote: codeRemote(remote, 'allow', rebinding()),
      one: (_, work) => work(),
      reads: { secretHolder: nothing, secret: nothing, site: nothing },
      box: readSecretBox(newSecretKeys()),
    });
    const origin = { type: 'github', key: 'github:a/b', repository: 'github:a/b', owner: 'a', repo: 'b' } as const;
    return (await probe(origin, { ref: 'main', branch: 'main' })).state;
  }

  async function byBuildManagement(host: string): Promise<unknown> {
    const mirrors = openMirrors({
      folder: folder.path,
      internalAddresses: 'allow',
      lookup: rebinding(),
      repositoryLimit: 1_000_000,
      timeout: 5000,
      stopping: new AbortController().signal,
      onRelease: () => undefined,
      exists: async () => true,
    });
    return await mirrors.branches({ key: 'a', vendor: 'other', cloneUrl: `http://${host}:${port}/a/b.git` }, undefined);
  }

  it.each([
    ['the service', 'rebound.example', byTheService, 'found'],
    ['the service', 'rebound.example.', byTheService, 'found'],
    ['build management', 'rebound.example', byBuildManagement, [{ name: 'main', commit: COMMIT }]],
    ['build management', 'rebound.example.', byBuildManagement, [{ name: 'main', commit: COMMIT }]],
  ])('is used by git of %s for %s, whatever the name server answers later', async (_, host, ask, answer) => {
    expect(await ask(host)).toEqual(answer);
    expect(new Set(reached)).toEqual(new Set([CHECKED]));
  });
});
