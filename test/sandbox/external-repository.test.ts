import { expect, it } from 'vitest';
import { ExternalRepository } from '@repoless/contract/build-management.ts';
import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { startSandbox } from '@repoless/sandbox/start.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const folder = startBeforeAll(temporaryDirectory);
const sandbox = startBeforeAll(() => startSandbox({ ports: 'free', dataDir: folder.path }));

it('onboards the repository of its git vendor, for a page of the extension', async () => {
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
  const kept: unknown = await (await fetch(list, { headers })).json();
  expect(kept).toMatchObject({ repositories: [{ name: 'Storefront', state: 'READY' }] });
});

it('has a page where a person enters a webhook at the vendor', async () => {
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
