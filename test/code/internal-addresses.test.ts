import { openSnapshot } from '@repoless/service/code/open-snapshot.ts';
import { codeRemote } from '@repoless/service/composition/code.ts';
import { createRemote, type Remote } from '@repoless/service/remote/remote.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { lookup } from 'node:dns';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startByogit } from '../support/byogit.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import type { CodeOrigin } from '@repoless/service/code/rules/ports.ts';

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

  it('is never called', () => expect(byogit.asked).toEqual([]));
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
  const nobody = async () => undefined;
  const services = {
    settings: { codeHost, mirrorDir: join(folder.path, 'mirrors'), codeDir: join(folder.path, 'code'), ...limits },
    remote: codeRemote(remote, 'refuse', lookup),
    one: <T>(_: string, work: () => Promise<T>) => work(),
    reads: { secretHolder: nobody, secret: nobody, site: nobody },
    box: readSecretBox(newSecretKeys()),
  };
  const around = { signal: new AbortController().signal, waiting: () => undefined };
  return openSnapshot(services, origin, { ref: 'main', branch: 'main' }, around);
}
