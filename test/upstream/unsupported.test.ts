import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { UNENFORCED_RULES } from '@repoless/upstream/rules.ts';
import { expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { type Feature, UNSUPPORTED, type UNSUPPORTED_IN_VIEWS } from '../support/on-both.ts';
import { siteBody, startHostedWorld } from './hosted-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

/** What a person sees instead of each feature that the command line lacks on the hosted service; for views, see test/journeys. */
const world = startHostedWorld();
const folder = startBeforeAll(openFolder);

async function outputOf(argv: readonly string[], email: string = EXAMPLE.admin): Promise<string> {
  const env = { ...world.settings, REPOLESS_TOKEN: world.hosted.token('session', { email }), REPOLESS_AUTHORING_TOKEN: 'any' };
  const { out, err } = await folder.repoless(argv, { env });
  return out + err;
}
const refused = async (...request: Parameters<typeof world.call>) => JSON.stringify((await world.call(...request)).body);

const SEEN: Readonly<
  Record<Exclude<Feature, keyof typeof UNSUPPORTED_IN_VIEWS | 'git' | 'guarded-hosts'>, () => string | Promise<string>>
> = {
  authoring: () => refused('GET', '/authoring/author-p100-e200.example.com/content.1.json'),
  audit: () => outputOf(['verify-log', '--organization', 'wknd']),
  'sign-out': () => outputOf(['logout']),
  'unknown-organizations': () => outputOf(['export', '--organization', 'nosuch']),
  'code-of-profile': () => refused('PUT', '/config/wknd/sites/bare.json', { content: siteBody('bare').content }),
  'content-roots': () => UNENFORCED_RULES.CONTENT_ROOT_TAKEN,
  'generated-secrets': async () => refused('POST', (await world.site()).replace('.json', '/secrets/token.json'), {}),
  'reading-roles': async () => {
    const token = world.hosted.token('apiKey', { sub: `wknd/${EXAMPLE.ownSite}`, roles: ['develop'] });
    return refused('GET', `/config/wknd/sites/${EXAMPLE.ownSite}.json`, undefined, { token });
  },
  'permission-of-removal': async () => {
    const token = world.hosted.token('session', { email: EXAMPLE.siteAdmin });
    return refused('DELETE', await world.site(), undefined, { token });
  },
};

test.each(Object.entries(SEEN))('%s', async (feature, seen) => {
  expect((await seen()).replaceAll('\\"', '"')).toContain(UNSUPPORTED[feature as Feature]);
});
