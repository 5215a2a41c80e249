import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR, publicPart, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { AuditLog, AuditVerification } from '@repoless/contract/audit.ts';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import { Rollout, RolloutPreview } from '@repoless/contract/rollout.ts';
import { assignAuthoringHost, releaseContentRoot } from '@repoless/service/administration/authoring-hosts.ts';
import type { TestAnswer } from '../support/ask.ts';

const ADDRESS = 'author-p100-e200.example.com';
const backend = startBeforeAll(() => startTestBackend({ orgs: ['wknd', 'acme'], sites: { first: { public: publicPart('first') } } }));

const delivery = '/bin/franklin.delivery/wknd/second/main';
const put = (url: string, mapping: string) =>
  backend.call('PUT', '/config/wknd/sites/second.json', {
    as: OPERATOR,
    body: siteBody('wknd', 'second', { content: { source: { url, type: 'markup' } }, public: { paths: { mappings: [mapping] } } }),
  });

it.each([
  ['http for https', `http://${ADDRESS}${delivery}`, '/content/first/:/'],
  ['a final dot', `https://${ADDRESS}.${delivery}`, '/content/first/:/'],
  ['capitals', `https://${ADDRESS.toUpperCase()}${delivery}`, '/content/first/:/'],
  ['the default port', `https://${ADDRESS}:443${delivery}`, '/content/first/:/'],
  ['an escaped host', `https://%61${ADDRESS.slice(1)}${delivery}`, '/content/first/:/'],
  ['an escaped address', `https://${ADDRESS}/b%69n/franklin.delivery/wknd/second/main`, '/content/first/:/'],
  ['a query', `https://${ADDRESS}${delivery}?x=1`, '/content/first/:/'],
  ['an escaped path', `https://${ADDRESS}${delivery}`, '/content/%66irst/:/'],
])('a content root belongs to one site, whatever its spelling: %s', async (_, url, mapping) => {
  const answer = await put(url, mapping);
  expect(answer, answer.text).toMatchObject({ status: 409, code: 'CONTENT_ROOT_TAKEN' });
  expect(answer.error).toBe(
    `The content root ${ADDRESS}/content/first already belongs to site "wknd/first". A content root can belong to only one site.`,
  );
});

const mapped = (site: string, ...mappings: string[]) =>
  backend.call('PUT', `/config/wknd/sites/${site}.json`, {
    as: OPERATOR,
    body: siteBody('wknd', site, {
      content: { source: { url: `https://${ADDRESS}/bin/franklin.delivery/wknd/${site}/main`, type: 'markup' } },
      public: { paths: { mappings } },
    }),
  });
const TAKEN = [409, 'CONTENT_ROOT_TAKEN'];
const codesOf = ({ status, headers }: Awaited<ReturnType<typeof mapped>>) => [status, headers['x-error-code']];

it('the first of several trees mapped to "/" is the content root, and another site may have one below it', async () => {
  expect(codesOf(await mapped('trees', '/content/trees/:/', '/content/trees/en/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('trees-en', '/content/trees/en/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('other-trees', '/content/trees/:/'))).toEqual(TAKEN);
  // Both keep working.
  expect(codesOf(await mapped('trees', '/content/trees/:/', '/content/trees/en/:/', '/content/trees/x:/x'))).toEqual([200, undefined]);
});

it('a site cannot map the content root of another site to "/" besides its own', async () => {
  expect(codesOf(await mapped('beside', '/content/beside/:/', '/content/first/:/'))).toEqual(TAKEN);
  expect(codesOf(await mapped('beside', '/content/beside/:/', '/content/first/:/first/', '/content/nobody/:/'))).toEqual([201, undefined]);
});

it('the complete content of a host is not a content root', async () => {
  for (const site of ['whole', 'whole-too']) expect(codesOf(await mapped(site, '/:/'))).toEqual([201, undefined]);
});

it('a separate start page is not the content root if a tree is mapped', async () => {
  expect(codesOf(await mapped('homely', '/content/homely/home:/', '/content/homely/:/'))).toEqual([201, undefined]);
  expect(codesOf(await mapped('homely-too', '/content/homely/:/'))).toEqual(TAKEN);
});

it('the site that has a content root is hidden from other organizations', async () => {
  const body = siteBody('acme', 'third', {
    content: { source: { url: `https://${ADDRESS}/bin/franklin.delivery/acme/third/main`, type: 'markup' } },
    public: publicPart('first'),
  });
  const answer = await backend.call('PUT', '/config/acme/sites/third.json', { as: OPERATOR, body });
  expect(answer).toMatchObject({ status: 409, code: 'CONTENT_ROOT_TAKEN' });
  expect(answer.error).toContain('already belongs to a site of another organization');
  expect(answer.text).not.toContain('wknd');
});

it('another host, port or path is another content root', async () => {
  for (const url of [`https://author-p100-e201.example.com${delivery}`, `https://${ADDRESS}:8443${delivery}`]) {
    const answer = await put(url, '/content/first/:/');
    expect([200, 201]).toContain(answer.status);
  }
  expect((await put(`https://${ADDRESS}${delivery}`, '/content/First/:/')).status).toBe(200);
});

it('the content address of another site is refused, even escaped', async () => {
  const answer = await put(`https://${ADDRESS}/bin/fr%61nklin.delivery/wknd/fir%73t/main`, '/content/second/:/');
  expect(answer.error).toBe('The content address belongs to site "wknd/first", but this is site "wknd/second".');
});

describe('assigned authoring hosts', () => {
  const as = OPERATOR;
  const HOST = 'author-p100-e200.example.com';
  /** The organization that owns the content, and one that was first to use it. */
  const [OWNER, FIRST] = ['wknd', 'acme'];

  let backend: TestBackend;
  beforeEach(async () => {
    backend = await startTestBackend({ orgs: [OWNER, FIRST] });
  });
  afterEach(() => backend.stop());

  const call = () => ({ time: new Date(), requestId: 'command' });
  const assign = () => assignAuthoringHost(backend.store, { host: HOST, org: OWNER }, call());
  const site = (org: string, name: string) => `/config/${org}/sites/${name}.json`;
  const put = (org: string, name: string, more: object = {}) =>
    backend.call('PUT', site(org, name), { as, body: siteBody(org, name, { public: publicPart('root'), ...more }) });
  const done = async (answer: Promise<TestAnswer>) => {
    const { status, text } = await answer;
    expect([200, 201, 204], text).toContain(status);
  };

  /** The refusal names the host and the operator, and no other organization. */
  function expectRefused(answer: TestAnswer, root = 'root', code = 'CONTENT_ROOT_TAKEN'): void {
    expect(answer, answer.text).toMatchObject({ status: 409, code: code });
    expect(decodeURIComponent(answer.error ?? '')).toContain(
      `The authoring host ${HOST} belongs to another organization, so this site cannot have the content root ${HOST}/content/${root}. Ask the operator of the service`,
    );
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain(OWNER);
  }

  describe('an authoring host assigned to an organization', () => {
    it('gives it another organization’s root, whose site stays readable but cannot be stored with that root', async () => {
      await done(put(FIRST, 'root'));
      expect((await put(OWNER, 'root')).code).toBe('CONTENT_ROOT_TAKEN');
      expect(await assign()).toHaveLength(1);
      await done(put(OWNER, 'root'));
      await done(put(OWNER, 'root', { title: 'Changed' }));

      const stored = await backend.call('GET', site(FIRST, 'root'), { as });
      expect([stored.status, stored.json()]).toEqual([200, expect.objectContaining({ public: publicPart('root') })]);
      expect((await backend.visit('live', `main--root--${FIRST}`, '/config.json')).text).toContain('/content/root/');
      expectRefused(await put(FIRST, 'root', { title: 'Changed' }));
      const headers = { '/**': [{ key: 'x-one', value: 'one' }] };
      expectRefused(await backend.call('POST', `/config/${FIRST}/sites/root/headers.json`, { as, body: headers }));
      expectRefused(
        await backend.call('POST', site(FIRST, 'root'), { as, body: siteBody(FIRST, 'root', { public: publicPart('root'), headers }) }),
      );
      expect((await backend.call('GET', site(FIRST, 'root'), { as })).json()).not.toHaveProperty('title');

      // Another content root is stored; so is an unchanged one.
      expect((await put(FIRST, 'root')).status).toBe(200);
      const elsewhere = { source: { url: `https://author-p1-e1.example.com/bin/franklin.delivery/${FIRST}/root/main`, type: 'markup' } };
      await done(put(FIRST, 'root', { content: elsewhere }));
      expectRefused(await backend.call('POST', `${site(FIRST, 'root')}?restoreVersion=1`, { as }), 'root', 'VERSION_REFUSED');
      await done(backend.call('DELETE', site(FIRST, 'root'), { as }));
      expectRefused(await backend.call('POST', `${site(FIRST, 'root')}?restoreVersion=1`, { as }), 'root', 'VERSION_REFUSED');
    });

    it('refuses its roots to new sites of others in several spellings, but not on other ports', async () => {
      await assign();
      expectRefused(await put(FIRST, 'root'));
      const at = (address: string) => ({ source: { url: `${address}/bin/franklin.delivery/${FIRST}/root/main`, type: 'markup' } });
      for (const address of [`http://${HOST.toUpperCase()}.`, `https://${HOST}:443`])
        expectRefused(await put(FIRST, 'root', { content: at(address) }));
      await done(put(FIRST, 'root', { content: at(`https://${HOST}:8443`) }));
      await done(put(FIRST, 'plain', { public: {} }));
      expectRefused(await backend.call('POST', `/config/${FIRST}/sites/plain/public.json`, { as, body: publicPart('other') }), 'other');
    });

    it('is refused to others through profiles and rollouts, too', async () => {
      await assign();
      const PROFILE = `/config/${FIRST}/profiles/base.json`;
      await done(backend.call('PUT', PROFILE, { as, body: {} }));
      await done(put(FIRST, 'one', { public: {}, extends: { profile: 'base' } }));
      const changed = await backend.call('PUT', PROFILE, { as, body: { public: publicPart('shared') } });
      expect(changed).toMatchObject({ status: 409, code: 'CONTENT_ROOT_TAKEN' });
      expect(changed.error).toContain(`With this profile site "${FIRST}/one" would break a rule. The authoring host ${HOST} `);
      expect(changed.text).not.toContain(OWNER);

      const edits = [{ op: 'set', path: '/public/paths', value: publicPart('{site}').paths }];
      const dryRun = await backend.call('POST', `/config/${FIRST}/rollouts.json?dryRun=true`, {
        as,
        body: { title: 'All', edits, sites: ['one'] },
      });
      const { sites } = RolloutPreview.parse(Rollout.parse(DryRun.parse(dryRun.json()).result).preview);
      expect(sites).toMatchObject([{ name: 'one', state: 'refused', code: 'CONTENT_ROOT_TAKEN', detail: expect.stringContaining(HOST) }]);
      expect(dryRun.text).not.toContain(OWNER);
    });

    it('is recorded in the audit trail of the organization that loses a root, which stays intact', async () => {
      await done(put(FIRST, 'root'));
      await assign();
      const { entries } = AuditLog.parse((await backend.call('GET', `/config/${FIRST}/log.json`, { as })).json());
      expect(entries[0]).toMatchObject({ site: 'root', user: 'operator', action: `release-content-root/${HOST}/content/root` });
      const verified = AuditVerification.parse((await backend.call('GET', `/config/${FIRST}/log/verification.json`, { as })).json());
      expect(verified).toMatchObject({ intact: true, verified: { to: entries.length } });
      expect((await backend.call('GET', `/config/${FIRST}/sites/root/log.json`, { as })).json()).toMatchObject({
        entries: [{ user: 'operator' }, {}],
      });
      expect((await backend.call('GET', `/log/${FIRST}/root/main`, { as })).json()).toMatchObject({
        entries: [{ user: 'operator', path: site(FIRST, 'root') }, {}],
      });
    });
  });

  describe('a released content root', () => {
    const release = () => releaseContentRoot(backend.store, `${HOST}/content/root`, call());

    it('is claimed again by the next change of its site', async () => {
      await done(put(FIRST, 'root'));
      await release();
      expect((await put(FIRST, 'root')).status).toBe(200);
      expect(await backend.store.reads.contentRootsOn(HOST)).toEqual([]);
      await done(put(FIRST, 'root', { title: 'Changed' }));
      expect(await backend.store.reads.contentRootsOn(HOST)).toEqual([{ org: FIRST, site: 'root', contentRoot: `${HOST}/content/root` }]);
    });

    it('stays with a site that has claimed it since', async () => {
      await done(put(FIRST, 'root'));
      await release();
      await done(put(OWNER, 'root'));
      const refused = await put(FIRST, 'root', { title: 'Changed' });
      expect(refused).toMatchObject({ status: 409, code: 'CONTENT_ROOT_TAKEN' });
      expect(refused.error).toContain('already belongs to a site of another organization');
      expect(refused.text).not.toContain(OWNER);
    });

    it('prevents changes of a profile that both its previous and its new site extend only if they affect the previous one', async () => {
      const PROFILE = `/config/${OWNER}/profiles/base.json`;
      const profile = (more: object) => backend.call('PUT', PROFILE, { as, body: { title: 'Base', ...more } });
      await done(profile({}));
      const extending = { extends: { profile: 'base' } };
      const headers = { '/**': [{ key: 'x-one', value: 'one' }] };
      await done(put(OWNER, 'lost', { ...extending, title: 'Lost', headers }));
      await release();
      await done(put(OWNER, 'found', { ...extending, title: 'Found' }));
      // The site's header overrides the profile's.
      await done(profile({ headers }));
      const refused = await profile({ headers, description: 'Of both' });
      expect(refused).toMatchObject({ status: 409, code: 'CONTENT_ROOT_TAKEN' });
      expect(refused.json()).toMatchObject({ data: { site: 'found', extending: `${OWNER}/lost` } });
    });
  });
});
