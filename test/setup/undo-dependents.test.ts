import { describe, expect, test } from 'vitest';
import { startBeforeAll } from '../support/start-before-all.ts';
import { enable, undo } from './apply.ts';
import { ADA, startSetupWorld } from './setup-world.ts';

const PAGE = '/content/summit';
const SITE = '/config/wknd/sites/summit.json';
const OTHER = '/config/wknd/sites/summit-de.json';
const EXTERNAL = { type: 'byogit', url: 'https://b.example/api', raw_url: 'https://b.example/raw' } as const;

const around = startBeforeAll(() => startSetupWorld());

/** Registers a further site like that of the panel, with another content root and, if given, another code source. */
async function further(root: string, code?: object): Promise<void> {
  const stored = (await around.backend.call('GET', SITE, { as: ADA })).json() as Record<string, object>;
  const body = {
    code: code ?? stored['code'],
    content: {
      source: {
        ...(stored['content'] as { source: object }).source,
        url: `${around.authorAddress()}/bin/franklin.delivery/wknd/summit-de/main`,
      },
    },
    public: { paths: { mappings: [`${root}/:/`], includes: [`${root}/`] } },
  };
  expect((await around.backend.call('PUT', OTHER, { as: ADA, body })).status).toBeLessThan(300);
}

const statusOf = async (address: string) => (await around.backend.call('GET', address, { as: ADA })).status;

describe('An undo that would remove a site that others depend on', () => {
  test.each([
    ['its locales', '/content/summit/de', undefined, 'base-of-sites'],
    ['the sites that get their code with its secret', '/content/elsewhere', EXTERNAL, 'secret-of-sites'],
  ])('is blocked, and names %s', async (_which, root, source, reason) => {
    const ada = await around.person(ADA);
    expect((await enable(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    if (source !== undefined) {
      const code = { owner: '100', repo: '7', source: { ...source, secretId: 'cm-byog' } };
      expect((await around.backend.call('POST', '/config/wknd/sites/summit/code.json', { as: ADA, body: code })).status).toBe(200);
    }
    await further(root, source === undefined ? undefined : { owner: '100', repo: '7', source });
    const edge = await around.edgeConfiguration('/conf/summit');

    expect((await undo(ada, PAGE)).result).toMatchObject({
      outcome: 'failed',
      step: 'register-site',
      failure: { finding: { kind: 'blocked', reason, data: { site: 'summit', sites: 'summit-de' } } },
    });
    expect([await statusOf(SITE), await statusOf(OTHER)]).toEqual([200, 200]);
    expect(await around.edgeConfiguration('/conf/summit')).toEqual(edge);

    await around.backend.call('DELETE', OTHER, { as: ADA });
    expect((await undo(ada, PAGE)).result).toEqual({ outcome: 'complete' });
    expect(await statusOf(SITE)).toBe(404);
  });
});
