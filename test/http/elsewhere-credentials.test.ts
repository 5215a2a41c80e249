import { CloneUrl } from '@repoless/contract/build-management.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { configurationService } from '@repoless/service/build-management/service/configuration-service.ts';
import { byogitCalls } from '@repoless/service/code/byogit-snapshot.ts';
import { codeRemote } from '@repoless/service/composition/code.ts';
import { buildManagementSource } from '@repoless/service/remote/code-sources.ts';
import { createRemote, type Remote } from '@repoless/service/remote/remote.ts';
import { lookup } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { startReceiver, TRICKS } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { type SessionService, startSessionService } from './session-service.ts';
let remote: Remote;
let service: SessionService;
let token: string;
/** What a program may redirect to. */
let location: string | undefined;

const receiver = startBeforeAll(() =>
  startReceiver((_request, response) => {
    if (location === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(302, { location }).end();
  }),
);
beforeAll(async () => {
  remote = createRemote({ internalAddresses: 'allow', resolve: lookup, timeout: 5000, sizeLimit: 100_000 });
  service = await startSessionService({ authorHosts: [`author.localhost:${receiver.port}`] });
  token = await service.token('ada.admin@example.com');
});
afterAll(async () => {
  await service.stop();
  await remote.close();
});
beforeEach(() => {
  receiver.forget();
  location = undefined;
});

const secret = new SealedValue('the-secret-of-the-repository');
const settled = async (work: Promise<unknown>) => void (await work.catch(() => undefined));

describe.each(TRICKS)('with %s, a credential is shown nowhere else', (trick) => {
  const proxied = (path: string, method = 'GET') =>
    ask(service.address, `/authoring/author.localhost:${receiver.port}${path}`, {
      method,
      headers: {
        'x-auth-token': token,
        'x-content-source-authorization': 'Bearer author',
        ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(method === 'POST' && { body: './owner=wknd' }),
    });

  it('by the authoring proxy, its redirects included', async () => {
    await proxied(`/content/${trick}/${trick}/home.json`);
    await proxied(`/bin/franklin.delivery/wknd/market/main/${trick}/${trick}/${trick}/${trick}/${trick}/${trick}/home.json`);
    await proxied(`/conf/${trick}/settings/cloudconfigs/edge-delivery-service-configuration`, 'POST');
    location = `/content/${trick}/${trick}/home.json`;
    await proxied('/content/market.json');
    expect(receiver.asked.map(({ url }) => url)).toEqual(['/content/market.json']);
  });

  it('to an external repository', async () => {
    const calls = (api: string, raw: string) => {
      const origin = { key: '', repository: '', owner: '100', repo: '200', type: 'byogit', org: 'wknd', url: api, rawUrl: raw } as const;
      const limits = {
        repositoryLimit: 100_000,
        fileLimit: 100_000,
        fileCountLimit: 10,
        retryDelay: 1,
        syncTime: 60_000,
        listingTime: 60_000,
      };
      const settings = { codeHost: '', codeDir: '', mirrorDir: '', ...limits };
      const around = { signal: new AbortController().signal, waiting: () => undefined, attempts: 1 };
      return byogitCalls({ settings, remote: codeRemote(remote, 'allow', lookup) }, origin, secret, around);
    };
    const plain = calls(`${receiver.address}/api`, `${receiver.address}/raw`);
    const odd = calls(`${receiver.address}/api/${trick}/${trick}`, `${receiver.address}/raw/${trick}/${trick}`);
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(plain.raw('main', `styles/${text}/${text}/${text}/${text}/${text}/${text}`, 'file'));
      await settled(plain.raw(text, 'styles.css', 'file'));
    }
    expect(receiver.elsewhere('/raw/100/200/')).toEqual([]);
    await settled(odd.raw('main', 'styles.css', 'file'));
    expect(receiver.elsewhere('/raw/')).toEqual([]);
    receiver.forget();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(plain.commit(`${text}/${text}/${text}`));
      await settled(plain.tree(text, () => undefined));
    }
    expect(receiver.elsewhere('/api/repos/100/200/')).toEqual([]);
    await settled(odd.commit('main'));
    expect(receiver.elsewhere('/api/')).toEqual([]);
  });

  it('to build management, and by it to the service', async () => {
    const standing = buildManagementSource(remote, { address: receiver.address, key: new SealedValue('key') });
    const told = configurationService(remote, { address: receiver.address, issuer: receiver.address, key: () => 'key' }, () => new Date());
    for (const text of new Set([trick, decodedOnce(trick)])) {
      for (const [org, owner, repo] of [
        [text, '100', '200'],
        ['wknd', text, text],
      ] as const) {
        const asked = { type: 'byogit', org, owner, repo, url: `${receiver.address}/api`, rawUrl: `${receiver.address}/raw` } as const;
        await standing.repository(asked);
        await standing.look(asked, text);
      }
    }
    expect(receiver.elsewhere('/standing/')).toEqual([]);
    receiver.forget();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(told.organization(text, token));
      await settled(told.requireSite(text, text, token));
      await settled(told.createSite(text, text, {}, token));
      await settled(told.setSecret('wknd', text, 'secret', token));
    }
    expect(receiver.elsewhere('/config/')).toEqual([]);
    receiver.forget();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(told.pushed({ org: text, programId: text, repositoryId: text, branch: text }));
      await settled(told.branchDeleted({ org: text, programId: text, repositoryId: text, branch: `x${text}` }));
    }
    expect(receiver.elsewhere('/code-sync/')).toEqual([]);
  });
});

it.each(['..', '%2e%2e', '%252e%252e', '..;', '..%5c..', '%e2%80%a5'])('a clone address with %s is refused', (trick) => {
  expect(CloneUrl.safeParse(`https://git.example.com/team/${trick}/${trick}/site.git`).success).toBe(false);
  expect(CloneUrl.safeParse('https://git.example.com/team/my%20site.git').success).toBe(true);
});

it('a request with a credential that says nothing of its place does not leave', async () => {
  const url = `${receiver.address}/`;
  await expect(remote.send({ method: 'GET', url, headers: { Authorization: 'Bearer x' } })).rejects.toThrow(/below which address/);
  expect(receiver.asked).toEqual([]);
});

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
