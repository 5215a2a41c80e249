import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, it } from 'vitest';
import { freePorts, portsFrom } from '@repoless/sandbox/addresses.ts';
import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { startSandbox } from '@repoless/sandbox/start.ts';
import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

describe('starting the sandbox', () => {
  test('prepares the service once, and does not restore what was removed later', async () => {
    const dataDir = await temporaryFolder();
    const ports = await freePorts();
    const first = await startSandbox({ dataDir, ports });
    undo.push(() => first.stop());
    const headers = { 'x-auth-token': await serviceTokenOf('ada.admin@example.com', first.addresses) };
    const site = `${first.addresses.backend}/config/wknd/sites/harbour.json`;
    expect((await fetch(site, { headers })).status).toBe(200);
    expect((await fetch(site, { method: 'DELETE', headers })).status).toBe(204);
    await first.stop();

    const second = await startSandbox({ dataDir, ports });
    undo.push(() => second.stop());
    expect((await fetch(site, { headers })).status).toBe(404);
    expect((await fetch(`${second.addresses.backend}/config/wknd/sites/wknd.json`, { headers })).status).toBe(200);
  });

  test('restarts the service after a kill', async () => {
    const sandbox = await startSandbox({ dataDir: await temporaryFolder(), ports: 'free' });
    undo.push(() => sandbox.stop());
    const pid = sandbox.backend.pid;
    await sandbox.backend.kill('SIGKILL');
    await expect(fetch(`${sandbox.addresses.backend}/health`)).rejects.toThrow();
    await sandbox.backend.restart();
    expect(sandbox.backend.pid).not.toBe(pid);
    expect((await fetch(`${sandbox.addresses.backend}/health`)).status).toBe(200);
  });

  test('names an occupied port, with the setting that changes it', async () => {
    const ports = await freePorts();
    const neighbour = createServer().listen(ports.authoring, '127.0.0.1');
    undo.push(() => new Promise((closed) => neighbour.close(closed)));
    await expect(startSandbox({ dataDir: await temporaryFolder(), ports })).rejects.toThrow(
      `Port ${ports.authoring} is in use by another program. Stop that program, or choose another port, for example: AUTHORING_PORT=`,
    );
  });

  test('refuses an invalid port with a message', () => {
    expect(() => portsFrom({ CONSOLE_PORT: '99999' })).toThrow('CONSOLE_PORT is "99999": write a port number from 1 to 65535.');
  });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-sandbox-'));
  undo.unshift(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
describe('An external repository', () => {
  const folder = startBeforeAll(temporaryDirectory);
  const sandbox = startBeforeAll(() => startSandbox({ ports: 'free', dataDir: folder.path }));

  it('is onboarded from its git vendor for a page of the extension', async () => {
    const { addresses } = sandbox;
    const service: unknown = await (await fetch(`${addresses.backend}/service.json`)).json();
    expect(service).toMatchObject({ buildManagement: addresses.buildManagement });
    const headers = {
      'x-auth-token': await serviceTokenOf('otto.org@example.com', addresses),
      'content-type': 'application/json',
      origin: addresses.extension,
    };
    const list = `${addresses.buildManagement}/organizations/wknd/repositories`;
    const body = {
      programId: '100',
      name: 'Storefront',
      cloneUrl: `${addresses.vendorHost}/northwind/storefront.git`,
      vendor: 'bitbucket',
      accessToken: ACCESS_TOKEN,
    };
    const answer = await fetch(list, { method: 'POST', headers, body: JSON.stringify(body) });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([201, addresses.extension]);
    let repository = ExternalRepository.parse(await answer.json());
    while (repository.state !== 'READY') {
      expect(repository.state, repository.problem).not.toBe('failed');
      repository = ExternalRepository.parse(await (await fetch(`${list}/${repository.repositoryId}`, { headers })).json());
    }
    await sandbox.buildManagement.kill('SIGKILL');
    await sandbox.buildManagement.restart();
    const repositories: unknown = await (await fetch(list, { headers })).json();
    expect(repositories).toMatchObject({ repositories: [{ name: 'Storefront', state: 'READY' }] });
  });

  it('has a page on which a person adds a webhook at the vendor', async () => {
    const page = `${sandbox.addresses.vendorHost}/northwind/storefront`;
    const form = new URLSearchParams({
      form: 'gitlab',
      address: 'http://localhost:1/webhooks/1?api_key=key-of-mine',
      secret: 'secret-of-mine',
    });
    expect((await fetch(`${page}/hooks`, { method: 'POST', body: form })).url).toBe(page);
    const shown = await (await fetch(page)).text();
    expect(shown).toContain('http://localhost:1/webhooks/1');
    for (const value of ['key-of-mine', 'secret-of-mine']) expect(shown).not.toContain(value);
  });
});
