import { ExternalRepository, LinkOutcome } from '@repoless/contract/build-management.ts';
import { ACCESS_TOKEN } from '@repoless/sandbox/vendor-host/access.ts';
import { serviceTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { ADA } from './world.ts';
import type { World } from './world.ts';

/** Onboards the external repository of the sandbox, registers a site on it, and synchronises its code once. */
export async function useVendor({ sandbox }: World, site: string): Promise<void> {
  const { addresses } = sandbox;
  const token = await serviceTokenOf(ADA, addresses);
  const call = async (method: string, address: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(address, {
      method,
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${address}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const repositories = `${addresses.buildManagement}/organizations/wknd/repositories`;
  const onboarded = ExternalRepository.parse(
    await call('POST', repositories, {
      programId: '100',
      name: 'Fair',
      cloneUrl: `${addresses.vendorHost}/northwind/storefront.git`,
      vendor: 'github-enterprise',
      accessToken: ACCESS_TOKEN,
    }),
  );
  const one = `${repositories}/${onboarded.repositoryId}`;
  for (let state = onboarded.state; state !== 'READY';) {
    ({ state } = ExternalRepository.parse(await call('GET', one)));
    if (state === 'failed') throw new Error('The repository could not be onboarded.');
  }
  const registered = `${addresses.backend}/config/wknd/sites/${site}`;
  const url = `${addresses.author}/bin/franklin.delivery/wknd/${site}/main`;
  const content = { source: { url, type: 'markup', suffix: '.html' } };
  await call('PUT', `${registered}.json`, { version: 1, code: { owner: 'wknd', repo: 'wknd' }, content });
  const { secret, code } = LinkOutcome.parse(await call('PUT', `${one}/link`, { site }));
  await call('POST', `${registered}/code.json`, code);
  await call('POST', `${registered}/secrets/cm-byog.json`, { value: secret });
  await call('POST', `${one}/sync`, { branch: 'main' });
}
