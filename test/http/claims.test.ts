import { LIMITS } from '@repoless/contract/limits.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { startCodeHostOfFiles } from '../support/code-host.ts';
import { lineOf, PROPERTIES } from '../support/older-projects.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const as = OPERATOR;
const AUTHOR = 'https://author-p100-e200.example.com';
const FSTAB = `mountpoints:
  /:
    url: ${AUTHOR}/bin/franklin.delivery/wknd/before/main
    type: markup
    suffix: .html
folders:
  /products/: /products/default
`;
const PATHS = '{\n  "mappings": ["/content/before:/"],\n  "includes": ["/content/before/"]\n}';

/** The code host's files on `main`, by `<owner>/<repo>/<path>`. */
const FILES: Readonly<Record<string, string>> = {
  'wknd/before/fstab.yaml': FSTAB,
  'wknd/before/paths.json': PATHS,
  'other/elsewhere/fstab.yaml': FSTAB,
  'other/elsewhere/paths.json': PATHS,
  'wknd/no-paths/fstab.yaml': FSTAB,
  'wknd/no-root/fstab.yaml': 'mountpoints:\n  /de: https://www.example.com\n',
  'wknd/no-points/fstab.yaml': 'version: 1\n',
  'wknd/no-address/fstab.yaml': 'mountpoints:\n  /:\n    type: markup\n',
  'wknd/from-github/fstab.yaml': 'mountpoints:\n  /: https://github.com/wknd/content\n',
  'wknd/with-password/fstab.yaml': 'mountpoints:\n  /: https://ada:hush-hush@park.sharepoint.com/sites/park\n',
  'wknd/odd-suffix/fstab.yaml': FSTAB.replace('.html', 'html'),
  'wknd/odd-line/fstab.yaml': FSTAB,
  'wknd/odd-line/paths.json': '{\n  "mappings": [\n    "/content/a/:/",\n    "/content/b"\n  ]\n}',
  'wknd/broken/fstab.yaml': 'mountpoints:\n  /: https://a.example\n  - wrong\n',
  'wknd/strange/fstab.yaml': 'mountpoints:\n  /: https://www.example.com/content\n',
  'wknd/mistaken/fstab.yaml': FSTAB,
  'wknd/mistaken/paths.json': '{\n  "mappings": [\n    "/content/a/:/",\n    "content/b/:/b/"\n  ]\n}',
  'wknd/asked/fstab.yaml': FSTAB.replace('/main', '/main?tenant=park').replace('.html', '.html?mode=plain'),
  'wknd/asked/paths.json': PATHS,
  'wknd/doubled/fstab.yaml': FSTAB,
  'wknd/doubled/paths.json': JSON.stringify({ mappings: ['/content/doubled/:/', '/content/doubled/en/:/', '/content/doubled/:/'] }),
  'wknd/full/fstab.yaml': FSTAB,
  'wknd/full/paths.json': JSON.stringify({ mappings: ['/content/full/:/'], excludes: ['/content/full/**/drafts/**'] }),
  'wknd/full/robots.txt': 'User-agent: *\n',
  'wknd/drive/fstab.yaml': 'mountpoints:\n  /: https://drive.google.com/drive/u/0/folders/123\n',
};

/** fstab.yaml, paths.json, and the files that a site's configuration replaces. */
const FILES_OF_A_PROJECT = 7;

const codeHost = startBeforeAll(() => startCodeHostOfFiles(new Map(Object.entries(FILES))));
const backend = startBeforeAll(() => startTestBackend({ settings: { CODE_HOST_RAW: codeHost.address } }));

const call = (method: string, site: string, query: string, body?: object) =>
  backend.call(method, `/config/wknd/sites/${site}.json?migrate=true${query}`, { as, ...(body === undefined ? {} : { body }) });
const proposal = (site: string, owner: string, repo: string) => ({
  code: { owner, repo, source: { type: 'github', url: `https://github.com/${owner}/${repo}` } },
  content: { source: { url: `${AUTHOR}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup', suffix: '.html' } },
  public: {
    paths: {
      mappings: ['/content/before/:/', '/content/before/configuration:/.helix/config.json'],
      includes: ['/content/before/'],
    },
  },
  folders: { '/products/': '/products/default' },
});

describe('A site migrated from fstab.yaml and paths.json', () => {
  it('is proposed by GET without being stored', async () => {
    const answer = await call('GET', 'before', '');
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ name: 'before', version: 1 })]);
    expect(answer.json()).toMatchObject(proposal('before', 'wknd', 'before'));
    expect((await backend.call('GET', '/config/wknd/sites/before.json', { as })).status).toBe(404);
  });

  it('is stored by PUT without a body, from the named repository', async () => {
    const answer = await call('PUT', 'moved', '&owner=other&repo=elsewhere');
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ name: 'moved' })]);
    expect(answer.json()).toMatchObject(proposal('moved', 'other', 'elsewhere'));
    expect((await backend.call('DELETE', '/config/wknd/sites/moved.json', { as })).status).toBe(204);
  });

  it('preserves its code and other stored parts', async () => {
    const code = { owner: 'wknd', repo: 'before', source: { type: 'github', url: 'https://github.com/wknd/before' } };
    const access = { admin: { role: { admin: ['ada@example.com'] } } };
    await backend.call('PUT', '/config/wknd/sites/kept.json', {
      as,
      body: siteBody('wknd', 'kept', { code, access, public: { brand: 'x' } }),
    });
    const answer = await call('POST', 'kept', '');
    expect(answer.json()).toMatchObject({ code, access, public: { brand: 'x', paths: { includes: ['/content/before/'] } } });
  });

  it('preserves stored properties of the parts that the files set', async () => {
    const { content, code } = siteBody('wknd', 'full') as SiteInput;
    const overlay = { url: 'https://overlay.example.com/full', type: 'markup' };
    const paths = { mappings: ['/content/full/:/'], includes: ['/content/full/'], rewrites: { a: 'b' } };
    const stored = {
      code,
      content: { source: content?.source, title: 'Full', overlay },
      robots: { txt: 'Disallow: /own' },
      public: { paths },
    };
    await backend.call('PUT', '/config/wknd/sites/full.json', { as, body: stored });
    const answer = await call('POST', 'full', '&owner=wknd&repo=full');
    const { includes, rewrites } = paths;
    expect(answer.json()).toMatchObject({
      content: { title: 'Full', overlay, source: { url: `${AUTHOR}/bin/franklin.delivery/wknd/full/main` } },
      robots: { txt: 'Disallow: /own' },
      public: { paths: { includes, rewrites, excludes: ['/content/full/**/drafts/**'] } },
    });
    expect(answer.headers['x-warning']).toContain('robots.txt: It was left out: the site has "robots" already.');
    expect((await backend.call('DELETE', '/config/wknd/sites/full.json', { as })).status).toBe(204);
  });

  it('preserves the queries of its content source', async () => {
    const url = `${AUTHOR}/bin/franklin.delivery/wknd/asked/main?tenant=park`;
    expect((await call('GET', 'asked', '')).json()).toMatchObject({ content: { source: { url, suffix: '.html?mode=plain' } } });
  });

  it('may have several mappings to one address, with a warning which one wins', async () => {
    const answer = await call('GET', 'doubled', '');
    expect([answer.status, answer.headers['x-warning']]).toEqual([
      200,
      expect.stringContaining('"/content/doubled/:/" is the last and wins over "/content/doubled/en/:/".'),
    ]);
  });

  it('has no mappings without paths.json, with a warning', async () => {
    const answer = await call('PUT', 'no-paths', '&dryRun=true');
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        result: expect.not.objectContaining({ public: expect.anything() }),
        warnings: ['paths.json: There is none, so no mappings were taken.'],
      },
    ]);
  });

  it('may have its content in Google Drive', async () => {
    expect((await call('GET', 'drive', '')).json()).toMatchObject({ content: { source: { type: 'google' } } });
  });

  it.each([
    ['nothing', /no fstab.yaml on main of https:\/\/github.com\/wknd\/nothing.*\?owner and \?repo/],
    ['no-root', /fstab.yaml of .*, line 1: It has no mount point "\/"\./],
    ['no-points', /fstab.yaml of .*: It has no "mountpoints"\./],
    ['no-address', /fstab.yaml of .*, line 2: The mount point "\/" has no address/],
    ['broken', /fstab.yaml of .*, line 3: It cannot be parsed/],
    ['strange', /fstab.yaml of .*, line 2: The content source "https:\/\/www.example.com\/content" has an unknown type/],
    ['mistaken', /paths.json of .*, line 4: The content path of "content\/b\/:\/b\/" must be absolute/],
    ['from-github', /fstab.yaml of .*, line 2: Content from a repository of the code host is not supported/],
    ['with-password', /fstab.yaml of .*, line 2: Remove the user name and password from the address/],
    ['odd-suffix', /fstab.yaml of .*, line 5: A suffix begins with a dot/],
    ['odd-line', /paths.json of .*, line 4: "\/content\/b" has no colon/],
  ])('is refused for the repository "%s"', async (site, message) => {
    for (const method of ['GET', 'PUT', 'POST']) {
      const answer = await call(method, site, '');
      expect(answer).toMatchObject({ status: 422, code: 'MIGRATION_NOT_POSSIBLE' });
      expect(answer.error).toMatch(message);
      expect(answer.text).not.toContain('hush-hush');
    }
    expect((await backend.call('GET', `/config/wknd/sites/${site}.json`, { as })).status).toBe(404);
  });

  it('shows the stored parts of an open site only to its administrators', async () => {
    const admin = { role: { admin: ['ada@example.com'], config_admin: ['carl@example.com'] }, requireAuth: false };
    const cdn = { prod: { type: 'fastly', host: 'www.example.com', serviceId: 's1', authToken: 'hush-hush' } };
    const body = siteBody('wknd', 'open', { access: { admin }, cdn });
    expect((await backend.call('PUT', '/config/wknd/sites/open.json', { as, body })).status).toBe(201);
    const proposed = (who?: string) =>
      backend.call('GET', '/config/wknd/sites/open.json?migrate=true&owner=wknd&repo=drive', who === undefined ? {} : { as: who });
    for (const who of ['ada@example.com', 'carl@example.com'])
      expect((await proposed(who)).json()).toMatchObject({ access: { admin }, cdn });
    for (const [who, status] of [
      [undefined, 401],
      ['sam@example.com', 404],
    ] as const) {
      expect(await proposed(who)).toMatchObject({ status: status, text: expect.not.stringMatching(/hush-hush|ada@|carl@/) });
    }
  });

  it('reads at most LIMITS.codeHostFiles files per person and hour, and any number for an operator', async () => {
    const body = siteBody('wknd', 'counted', { access: { admin: { role: { config_admin: ['carla@example.com'] } } } });
    expect((await backend.call('PUT', '/config/wknd/sites/counted.json', { as, body })).status).toBe(201);
    const propose = (who: string) => backend.call('GET', '/config/wknd/sites/counted.json?migrate=true&owner=wknd&repo=drive', { as: who });
    for (let count = 0; count < LIMITS.codeHostFiles / FILES_OF_A_PROJECT; count += 1)
      expect((await propose('carla@example.com')).status).toBe(200);
    for (const method of ['GET', 'PUT', 'POST']) {
      const path = '/config/wknd/sites/counted.json?migrate=true&owner=wknd&repo=drive';
      expect(await backend.call(method, path, { as: 'carla@example.com' })).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    }
    expect((await propose(as)).status).toBe(200);
  });

  it('is refused with a body, with an invalid name, for strangers, and if the code host does not respond', async () => {
    expect((await call('PUT', 'before', '', siteBody('wknd', 'before'))).code).toBe('BODY_INVALID');
    expect((await call('GET', 'before', '&repo=..%2Fother')).code).toBe('QUERY_INVALID');
    const stranger = await backend.call('GET', '/config/wknd/sites/before.json?migrate=true', { as: 'sam@example.com' });
    expect(stranger.status).toBe(404);
    expect((await call('GET', 'unreachable', '')).code).toBe('CODE_HOST_UNREACHABLE');
  });
});

describe('the migration of an older project', () => {
  const codeHost = startBeforeAll(() => {
    const files = PROPERTIES.flatMap(({ files: own }, index) =>
      Object.entries(own).map(([name, text]) => [`wknd/p${index}/${name}`, text] as const),
    );
    return startCodeHostOfFiles(new Map(files));
  });
  const backend = startBeforeAll(() => startTestBackend({ settings: { CODE_HOST_RAW: codeHost.address } }));

  it.each(PROPERTIES.map((property, index) => [property.title, property, index] as const))(
    'migrates %s or names it in a warning',
    async (_, property, index) => {
      const call = (method: string, query = '') =>
        backend.call(method, `/config/wknd/sites/p${index}.json?migrate=true${query}`, { as: OPERATOR });
      const proposed = await call('GET');
      const dryRun = await call('PUT', '&dryRun=true');
      expect([proposed.status, dryRun.status]).toEqual([200, 200]);
      const { warnings = [] } = dryRun.json() as { warnings?: string[] };
      expect(proposed.headers['x-warning'] ?? '').toBe(warnings.join(' '));
      // A file with only one value has no line for it.
      const isWhole = property.name === property.file;
      const location = isWhole ? `${property.file}: ` : `${property.file}, line ${lineOf(property)}: `;
      const reported = warnings.filter((message) => message.startsWith(location));
      if (property.migrated === 'named') return expect(reported).toEqual([expect.stringContaining(isWhole ? 'left out' : property.name)]);
      expect(proposed.text).toContain(property.value);
      expect(reported).toEqual([]);
      // The proposal is stored unchanged.
      expect(await call('POST')).toMatchObject({ status: 201, text: expect.stringContaining(property.value) });
      // Only one site may have a content root.
      await backend.call('DELETE', `/config/wknd/sites/p${index}.json`, { as: OPERATOR });
    },
  );
});

describe('requests to the code host', () => {
  const ADA = 'ada@example.com';
  const OTTO = 'otto@example.com';

  let requests: string[] = [];
  const codeHost = startBeforeAll(() =>
    startReceiver((request, response) => {
      const { url = '' } = request;
      requests.push(url);
      response.writeHead(url.startsWith('/orgs/real-') ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
    }),
  );
  const backend = startBeforeAll(() => {
    const address = `http://localhost:${codeHost.port}`;
    return startTestBackend({
      claim: false,
      dryRun: false,
      settings: { CODE_HOST_API: address, CODE_HOST_RAW: address },
    });
  });

  beforeEach(() => {
    requests = [];
  });

  const challenge = (org: string, as = ADA, query = '', repository = 'site') =>
    backend.call('POST', `/config/${org}/challenge.json${query}`, { as, body: { repository } });
  const claim = (org: string, as = ADA) => backend.call('PUT', `/config/${org}.json`, { as, body: {} });
  const codes = (answers: readonly { status: number; headers: Readonly<Record<string, unknown>> }[]) =>
    answers.map(({ status, headers }) => [status, headers['x-error-code']]);

  describe('The code host', () => {
    it('is queried once for repeated requests', async () => {
      for (let count = 0; count < 50; count += 1) expect(codes([await claim('real-one')])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
      for (let count = 0; count < 50; count += 1) expect((await challenge('real-one', ADA, '?dryRun=true')).status).toBe(200);
      for (let count = 0; count < 50; count += 1) expect((await challenge('real-one')).status).toBe(200);
      expect(requests).toEqual(['/orgs/real-one']);
    });

    it('is queried for a claim without a challenge, which reports an unknown organization', async () => {
      expect(codes([await claim('none')])).toEqual([[422, 'ORG_UNKNOWN_ON_CODE_HOST']]);
      expect(requests).toEqual(['/orgs/none']);
    });

    it('is queried once for many concurrent callers', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, person) => challenge('real-two', `person${person}@example.com`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(requests).toEqual(['/orgs/real-two']);
    });

    it('is queried for LIMITS.codeHostLookups organizations per person and hour, without limiting other people', async () => {
      const names = Array.from({ length: LIMITS.codeHostLookups }, (_, index) => `none-${index}`);
      for (const name of names) expect(codes([await challenge(name, 'nadia@example.com')])).toEqual([[422, 'ORG_UNKNOWN_ON_CODE_HOST']]);
      expect(codes([await claim('none-0', 'nadia@example.com')])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
      const refused = await challenge('real-three', 'nadia@example.com');
      expect(codes([refused])).toEqual([[429, 'RATE_LIMITED']]);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
      expect((await challenge('real-three', 'sam@example.com')).status).toBe(200);
      expect(requests).toHaveLength(LIMITS.codeHostLookups + 1);
    });

    it('is queried for LIMITS.codeHostFiles challenge files per person and hour', async () => {
      for (let count = 0; count < LIMITS.challengesOfOrg; count += 1)
        expect((await challenge('real-four', OTTO, '', `site-${count}`)).status).toBe(200);
      for (let count = 0; count < LIMITS.codeHostFiles / LIMITS.challengesOfOrg; count += 1)
        expect(codes([await claim('real-four', OTTO)])).toEqual([[403, 'CLAIM_NOT_PROVEN']]);
      expect(codes([await claim('real-four', OTTO)])).toEqual([[429, 'RATE_LIMITED']]);
      expect(requests).toHaveLength(1 + LIMITS.codeHostFiles);
    });
  });
});
