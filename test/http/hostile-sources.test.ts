import { CloneUrl } from '@repoless/contract/build-management.ts';
import { SealedValue } from '@repoless/contract/secret.ts';
import { configurationService } from '@repoless/service/build-management/service/configuration-service.ts';
import { codeRemote } from '@repoless/service/composition/code.ts';
import { byogitCalls } from '@repoless/service/code/byogit-snapshot.ts';
import { buildManagementSource } from '@repoless/service/remote/code-sources.ts';
import { createRemote, type Remote } from '@repoless/service/remote/remote.ts';
import { lookup } from 'node:dns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';
import { contentAt, startReceiver, TRICKS } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { startSessionService } from './session-service.ts';
import type { Site } from '@repoless/contract/site.ts';
import { callsAs, OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { threadTime } from '../support/turns.mjs';

let remote: Remote;
let token: string;
/** Where the source redirects to. */
let location: string | undefined;

const receiver = startBeforeAll(() =>
  startReceiver((_request, response) => {
    if (location === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    else response.writeHead(302, { location }).end();
  }),
);
const service = startBeforeAll(() => startSessionService({ settings: { AUTHOR_HOSTS: `author.localhost:${receiver.port}` } }));
beforeAll(async () => {
  remote = createRemote({ internalAddresses: 'allow', resolve: lookup, timeout: 5000, sizeLimit: 100_000 });
  token = await service.token('ada.admin@example.com');
});
afterAll(() => remote.close());
beforeEach(() => {
  receiver.clear();
  location = undefined;
});

const secret = new SealedValue('the-secret-of-the-repository');
const settled = async (work: Promise<unknown>) => void (await work.catch(() => undefined));

describe.each(TRICKS)('with %s, a credential is sent nowhere else', (trick) => {
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

  it('by the authoring proxy, including redirects', async () => {
    await proxied(`/content/${trick}/${trick}/home.json`);
    await proxied(`/bin/franklin.delivery/wknd/market/main/${trick}/${trick}/${trick}/${trick}/${trick}/${trick}/home.json`);
    await proxied(`/conf/${trick}/settings/cloudconfigs/edge-delivery-service-configuration`, 'POST');
    location = `/content/${trick}/${trick}/home.json`;
    await proxied('/content/market.json');
    expect(receiver.requests.map(({ url }) => url)).toEqual(['/content/market.json']);
  });

  it('by calls of an external repository', async () => {
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
      const context = { signal: new AbortController().signal, waiting: () => undefined, attempts: 1 };
      return byogitCalls({ settings, remote: codeRemote(remote, 'allow', lookup) }, origin, secret, context);
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
    receiver.clear();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(plain.commit(`${text}/${text}/${text}`));
      await settled(plain.tree(text, () => undefined));
    }
    expect(receiver.elsewhere('/api/repos/100/200/')).toEqual([]);
    await settled(odd.commit('main'));
    expect(receiver.elsewhere('/api/')).toEqual([]);
  });

  it('by calls to build management, or by its calls to the service', async () => {
    const buildManagement = buildManagementSource(remote, { address: receiver.address, key: new SealedValue('key') });
    const configuration = configurationService(
      remote,
      { address: receiver.address, issuer: receiver.address, key: () => 'key' },
      () => new Date(),
    );
    for (const text of new Set([trick, decodedOnce(trick)])) {
      for (const [org, owner, repo] of [
        [text, '100', '200'],
        ['wknd', text, text],
      ] as const) {
        const source = { type: 'byogit', org, owner, repo, url: `${receiver.address}/api`, rawUrl: `${receiver.address}/raw` } as const;
        await buildManagement.repository(source);
        await buildManagement.probe(source, text);
      }
    }
    expect(receiver.elsewhere('/repository-status/')).toEqual([]);
    receiver.clear();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(configuration.organization(text, token));
      await settled(configuration.requireSite(text, text, token));
      await settled(configuration.createSite(text, text, {}, token));
      await settled(configuration.setSecret('wknd', text, 'secret', token));
    }
    expect(receiver.elsewhere('/config/')).toEqual([]);
    receiver.clear();
    for (const text of new Set([trick, decodedOnce(trick)])) {
      await settled(configuration.reportPush({ org: text, programId: text, repositoryId: text, branch: text }));
      await settled(configuration.branchDeleted({ org: text, programId: text, repositoryId: text, branch: `x${text}` }));
    }
    expect(receiver.elsewhere('/code-sync/')).toEqual([]);
  });
});

it.each(['..', '%2e%2e', '%252e%252e', '..;', '..%5c..', '%e2%80%a5'])('a clone address with %s is refused', (trick) => {
  expect(CloneUrl.safeParse(`https://git.example.com/team/${trick}/${trick}/site.git`).success).toBe(false);
  expect(CloneUrl.safeParse('https://git.example.com/team/my%20site.git').success).toBe(true);
});

it('a request with a credential is not sent unless it names the address below which the credential is valid', async () => {
  const url = `${receiver.address}/`;
  await expect(remote.send({ method: 'GET', url, headers: { Authorization: 'Bearer x' } })).rejects.toThrow(/must name its base address/);
  expect(receiver.requests).toEqual([]);
});

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PREFIX = '/bin/franklin.delivery/wknd/market/main/';
let address: string;

const author = startBeforeAll(() =>
  startReceiver((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<main>page</main>')),
);
const backend = startBeforeAll(() => {
  address = `http://${author.host}`;
  const settings = { AUTHOR_HOSTS: author.host, CONTENT_TOKEN: 'token-of-the-technical-account' };
  const market = { content: contentAt(author, 'market'), public: { paths: { mappings: ['/content/market/:/'] } } };
  return startTestBackend({ dryRun: false, settings, sites: { market } });
});
beforeEach(() => author.clear());

const visit = (path: string) => backend.visit('live', 'main--market--wknd', path);

/** Stores a configuration as an earlier version without this check could have. */
async function storeUnchecked(change: (config: Site) => Partial<Site>): Promise<void> {
  await backend.store.write(async (writes) => {
    const stored = await writes.site('wknd', 'market');
    if (stored === undefined) throw new Error('The site is missing.');
    const { aggregate: _, ...rest } = stored;
    await writes.putSite({
      ...rest,
      config: { ...stored.config, ...change(stored.config) },
      holdsSecret: false,
      version: stored.version + 1,
    });
  });
}
const markup = (url: string, suffix = '.html') => ({ content: { contentBusId: '', source: { url, type: 'markup' as const, suffix } } });
const mapped = (mapping: string) => ({ public: { paths: { mappings: [mapping] } } });
const original = { ...mapped('/content/market/:/'), folders: {} };

it('the account of the service reads a page of the site', async () => {
  expect((await visit('/about')).status).toBe(200);
  expect(author.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    [`${PREFIX}content/market/about.html`, 'Bearer token-of-the-technical-account'],
  ]);
});

describe.each(TRICKS)('with %s, the account of the service reads only its site', (trick) => {
  it('for a visitor', async () => {
    for (const path of [
      `/${trick}/${trick}/${trick}/${trick}/home/users`,
      `/a/${trick}`,
      `/a${trick}`,
      `/${trick}a.plain.html`,
      `/a/${trick}/b.json`,
    ])
      await visit(path);
    expect(author.elsewhere(PREFIX)).toEqual([]);
  });

  it('when a content address is set', async () => {
    for (const path of [`/bin/franklin.delivery/wknd/market/main/${trick}/${trick}`, `/${trick}/bin/franklin.delivery/wknd/market/main`]) {
      const body = { source: { url: `${address}${path}`, type: 'markup', suffix: '.html' } };
      const answer = await backend.call('POST', '/config/wknd/sites/market/content.json', { as: OPERATOR, body });
      expect(answer, `${path}: ${answer.text}`).toMatchObject({ status: 400, code: 'BODY_INVALID' });
    }
  });

  it('when a content address, a suffix, a mapping or a folder is already stored', async () => {
    const stored: (() => Partial<Site>)[] = [
      () => markup(`${address}${PREFIX}${trick}/${trick}/${trick}`),
      () => markup(`${address}/bin/franklin.delivery/wknd/${trick}/wknd/market/main`),
      () => markup(`${address}${PREFIX.slice(0, -1)}`, `/${trick}/${trick}`),
      () => ({ ...markup(`${address}${PREFIX.slice(0, -1)}`), ...mapped(`/${trick}/${trick}/${trick}/:/`) }),
      () => ({ ...mapped(`/content/market${trick}:/about`) }),
      () => ({ ...original, folders: { '/about': `/${trick}/${trick}/${trick}/${trick}` } }),
    ];
    for (const change of stored) {
      await storeUnchecked(change);
      for (const path of ['/', '/about', '/about/more']) await visit(path);
    }
    await storeUnchecked(() => ({ ...original, ...markup(`${address}${PREFIX.slice(0, -1)}`) }));
    expect(author.elsewhere(PREFIX)).toEqual([]);
  });
});

it.each([
  ['another site', '/bin/franklin.delivery/wknd/other/main'],
  ['another organization', '/bin/franklin.delivery/other/market/main'],
  ['an address outside the delivery', '/home/users'],
  ['everything', ''],
])('the account of the service does not read %s, even if it is stored', async (_, path) => {
  await storeUnchecked(() => markup(`${address}${path}`));
  const answer = await visit('/about');
  expect(answer).toMatchObject({ status: 502, code: 'CONTENT_UNREACHABLE' });
  expect(answer.error).toContain('is not the delivery address of this site');
  await storeUnchecked(() => markup(`${address}${PREFIX.slice(0, -1)}`));
  expect(author.requests).toEqual([]);
});

it.each(['franklin%2edelivery', 'franklin%252edelivery', 'franklin%EF%BC%8Edelivery'])(
  '%s does not bypass the check of the site',
  async (name) => {
    const url = `${address}/bin/${name}/wknd/other/main`;
    const body = siteBody('wknd', 'market', { content: { source: { url, type: 'markup', suffix: '.html' } } });
    const answer = await backend.call('PUT', '/config/wknd/sites/market.json', { as: OPERATOR, body });
    expect([answer.status, answer.error]).toEqual([
      400,
      'The request body is not valid at /content/source/url: Write the path of the address plainly: without "..", ";" and escapes such as "%2e", "%2f" or "%25".',
    ]);
  },
);

it.each(['%3F', '%23', '%3B', '%25', '%5C'])('a path with the character %s is refused with the reason', async (escaped) => {
  const answer = await visit(`/a${escaped}b`);
  expect(answer).toMatchObject({ status: 400, code: 'NAME_INVALID' });
  expect(answer.error).toMatch(escaped === '%5C' ? /backslash/ : new RegExp(`"${escaped}"`));
});

describe('hostile content:', () => {
  let address: string;
  const PAGES: Readonly<Record<string, () => string>> = {
    '/index.html': () => '<main>Start</main>',
    'aaa.html': () => '<main>A long path</main>',
    '/unclosed.html': () => '<main'.repeat(1_900_000),
    '/spaces.html': () => '<main '.repeat(1_600_000),
    '/entities.html': () => `<main>${'&'.repeat(9_000_000)}`,
  };

  const author = startBeforeAll(() =>
    startReceiver((request, response) => {
      const page = Object.entries(PAGES).find(([path]) => request.url?.endsWith(path))?.[1];
      if (page === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(page());
    }),
  );
  const backend = startBeforeAll(() => {
    address = `http://${author.host}`;
    return startTestBackend({ dryRun: false, orgs: ['wknd', 'other'], settings: { AUTHOR_HOSTS: author.host } });
  });
  beforeAll(async () => {
    const bystander = siteBody('other', 'bystander', { public: { title: 'fine' } });
    await callsAs(backend, OPERATOR).done('PUT', '/config/other/sites/bystander.json', bystander);
  });

  async function register(site: string, url: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const body = siteBody('wknd', site, { content: { source: { url, type: 'markup', suffix: '.html' } }, ...more });
    const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
    expect([status, text.slice(0, 200)]).toEqual([201, expect.any(String)]);
  }
  async function registerOnce(site: string, url: string): Promise<void> {
    if ((await backend.store.reads.site('wknd', site)) === undefined) await register(site, url);
  }
  const visit = (site: string, path: string) => backend.visit('preview', `main--${site}--wknd`, path);

  const ODD = ['/日本', '/caf\u00e9', '/a b', '/\r\nx-injected: yes', '/\ud83d\ude80'];

  it.each(ODD)('a content address that ends in %j is refused', async (ending) => {
    const body = siteBody('wknd', 'odd', { content: { source: { url: `${address}${ending}`, type: 'markup', suffix: '.html' } } });
    const answer = await backend.call('PUT', '/config/wknd/sites/odd.json', { as: OPERATOR, body });
    expect([answer.status, answer.error]).toEqual([400, expect.stringContaining('percent-encoded')]);
  });

  it.each(ODD)('a page of a content address that was stored with %j is answered, and other sites are not affected', async (ending) => {
    const site = `odd-${Buffer.from(ending).toString('hex').slice(0, 20)}`;
    await register(site, address);
    await backend.store.write(async (writes) => {
      const stored = await writes.site('wknd', site);
      if (stored === undefined) throw new Error('The site is missing.');
      const { aggregate: _, config, ...rest } = stored;
      const content = { contentBusId: '', source: { url: `${address}${ending}`, type: 'markup' as const, suffix: '.html' } };
      await writes.putSite({ ...rest, config: { ...config, content }, holdsSecret: false, version: stored.version + 1 });
    });
    const answer = await visit(site, '/');
    if (/[\r\n]/.test(ending)) expect(answer).toMatchObject({ status: 502, code: 'CONTENT_UNREACHABLE' });
    else {
      expect(answer.status).toBe(200);
      expect(answer.headers['x-content-source']).toMatch(/^[\x20-\x7e]+\/index\.html$/);
    }
    expect(answer.headers['x-injected']).toBeUndefined();
    const bystander = await backend.visit('live', 'main--bystander--other', '/config.json');
    expect(bystander.json()).toEqual({ public: { title: 'fine' } });
  });

  it.each(['/unclosed', '/spaces', '/entities'])('extracting the fragment of the page %s does not block', async (path) => {
    await registerOnce('fragments', address);
    const blocked = await longestBlock(async () => {
      expect((await visit('fragments', `${path}.plain.html`)).status).toBe(200);
    });
    expect(blocked).toBeLessThan(200);
  });

  const { headerPatterns, headerPatternLength, headerPatternStars, pagePath } = LIMITS;
  /** Each starts to match at every position of the path, and ends with something that is not in the path. */
  const WORST = ['*', '**'].map((stars) => `/${`${stars}a`.repeat(headerPatternStars - 1)}`.padEnd(headerPatternLength - 4, 'a'));

  it.each(WORST)(
    'the maximum of header patterns does not block on the longest path, and one more of each is refused: %s',
    async (worst) => {
      const patterns = Array.from({ length: headerPatterns }, (_, index) => `${worst}${String(index).padStart(3, '0')}`);
      const headers = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, [{ key: 'x-odd', value: '1' }]]));
      await registerOnce('patterns', address);
      const set = await backend.call('POST', '/config/wknd/sites/patterns/headers.json', { as: OPERATOR, body: headers(patterns) });
      expect(set.status).toBe(200);
      const blocked = await longestBlock(async () => {
        expect((await visit('patterns', `/${'a'.repeat(pagePath - 1)}`)).status).toBe(200);
        expect((await visit('patterns', `/${'a'.repeat(pagePath)}`)).status).toBe(414);
      });
      expect(blocked).toBeLessThan(200);
      for (const over of [
        [...patterns, '/more'],
        ['/x'.padEnd(headerPatternLength + 1, 'x')],
        [`/${'*a'.repeat(headerPatternStars + 1)}`],
      ]) {
        const answer = await backend.call('POST', '/config/wknd/sites/patterns/headers.json', { as: OPERATOR, body: headers(over) });
        expect(answer).toMatchObject({ status: 400, code: 'BODY_INVALID' });
      }
    },
  );

  it('eight concurrent writes of the largest bodies block others no longer than two of them', async () => {
    const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    await Promise.all(Array.from({ length: 8 }, (_, index) => register(`wide-${index}`, `${address}/${index}`)));
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(values(LIMITS.bodyValues - 1));
    const write = async (index: number) => {
      const answer = await backend.call('POST', `/config/wknd/sites/wide-${index}/public.json`, { as: OPERATOR, body, headers });
      expect(answer.status).toBe(200);
    };
    await write(0);
    // The processor time of a single writer in the same run, as the measure of a slower machine.
    const before = threadTime();
    for (let index = 0; index < 4; index += 1) await write(index);
    const alone = (threadTime() - before) / 4;
    const blocked = await longestBlock(async () => {
      const writing = Array.from({ length: 8 }, (_, index) => write(index));
      expect((await backend.visit('live', 'main--bystander--other', '/config.json')).status).toBe(200);
      await Promise.all(writing);
    });
    expect(blocked).toBeLessThan(Math.max(200, 2 * alone));
    const over = await backend.call('POST', '/config/wknd/sites/wide-0/public.json', { as: OPERATOR, body: values(LIMITS.bodyValues) });
    expect([over.status, over.error]).toEqual([400, 'The request body has more than 6000 values.']);
  });
});
