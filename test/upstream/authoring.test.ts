import { EXAMPLE } from '@repoless/sandbox/hosted/example.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { beforeAll, expect, test } from 'vitest';
import { openFolder } from '../command-line/command.ts';
import { startAuthor } from '../sandbox/author.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSecureHost } from '../support/secure-host.ts';
import { startHostedWorld } from './hosted-world.ts';

const world = startHostedWorld();
const author = startBeforeAll(startAuthor);
const folder = startBeforeAll(openFolder);
beforeAll(async () => {
  const editor = ['component-definition.json', 'component-models.json', 'component-filters.json', 'head.html'];
  const page = { '/': '<!doctype html>', '/.helix/config.json': '{"data":[]}' };
  world.hosted.set({
    codeFiles: { 'wknd/wknd': Object.fromEntries(editor.map((name) => [`/${name}`, '{}'])) },
    contentFiles: { 'wknd/plaza': page },
  });
  await folder.write('sites.yaml', fileAt(`author-p100-e200.authoring.localhost:${author.port}`));
});

const fileAt = (host: string) => `version: 1
organization: ${EXAMPLE.org}
author: http://${host}
code: { owner: wknd, repo: wknd }
access: { role: { admin: [${EXAMPLE.admin}] } }
technicalAccount: p100-e200@techacct.example.com
cloudConfiguration: /conf/wknd
sites:
  - { name: plaza, contentRoot: /content/plaza, cloudConfiguration: /conf/plaza }
`;

async function repoless(argv: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = {
    ...world.settings,
    REPOLESS_TOKEN: world.hosted.token('session', { email: EXAMPLE.admin }),
    REPOLESS_AUTHORING_TOKEN: await author.issuer.token(EXAMPLE.admin, { expires: '1h' }),
    REPOLESS_AUTHOR_HOSTS: `author.example.com, *.authoring.localhost:${author.port}`,
    ...more,
  };
  return await folder.repoless(argv, { env });
}

test('a site is set up in the authoring system too, and its check finds what only that system knows', async () => {
  const planned = await repoless(['plan', '-f', 'sites.yaml']);
  expect([planned.code, planned.out], planned.err).toEqual([3, expect.stringContaining('create plaza')]);
  const applied = await repoless(['apply', '-f', 'sites.yaml']);
  expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 created')]);
  const { text } = await author.get('/conf/plaza/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content.json', {
    as: EXAMPLE.admin,
  });
  expect(JSON.parse(text)).toMatchObject({ owner: 'wknd', repo: 'plaza', projectType: '4' });
  const checked = await repoless(['check', '-f', 'sites.yaml', '--json']);
  expect(checked.json(), checked.err).toMatchObject({ reach: 'both', summary: { wrong: 0 } });

  const csrf = await author.csrf(EXAMPLE.admin);
  const path = '/conf/plaza/settings/cloudconfigs/edge-delivery-service-configuration/jcr:content';
  await author.post(path, [['./projectType', '3']], { as: EXAMPLE.admin, csrf });
  const drifted = await repoless(['check', '-f', 'sites.yaml']);
  expect([drifted.code, drifted.out]).toEqual([
    4,
    expect.stringMatching(/^plaza: warning project-type: The project type is not repoless\./m),
  ]);
  // The file's content of the site exists in its current environment; there is nothing in the other one.
  const move = ['move', '--organization', 'wknd', '--from', `http://author-p100-e200.authoring.localhost:${author.port}`, '--to'];
  const refused = await repoless([...move, `http://author-p100-e300.authoring.localhost:${author.port}`, '--site', 'plaza']);
  expect(refused.out).not.toContain('gets its content from');
});

test('the token is not sent to an author that the environment does not name', async () => {
  const server = await startReceiver(({ url = '' }, response) => {
    if (url.includes('login')) response.end('<!doctype html>');
    else response.writeHead(302, { location: '/libs/granite/core/content/login.html' }).end();
  });
  const host = `author.localhost:${server.port}`;
  await folder.write('lured.yaml', fileAt(host));
  const lured = await repoless(['check', '-f', 'lured.yaml']);
  expect(`${lured.out}${lured.err}`).toContain(`Your authoring token is not sent to ${host}: REPOLESS_AUTHOR_HOSTS does not name it.`);
  expect(server.requests).toEqual([]);
  // A redirect to the sign-in page means that the token is invalid there.
  const ended = await repoless(['check', '-f', 'lured.yaml'], { REPOLESS_AUTHOR_HOSTS: host });
  expect(server.requests).not.toEqual([]);
  expect(`${ended.out}${ended.err}`).toContain('This is usually its sign-in page');
  await server.stop();
  const gone = await repoless(['check', '-f', 'lured.yaml'], { REPOLESS_AUTHOR_HOSTS: host });
  const unreachable = `plaza: The authoring system cannot be reached: ${host} does not respond. Try again in a minute.`;
  expect([gone.code, `${gone.out}${gone.err}`]).toEqual([1, expect.stringContaining(unreachable)]);
});

test('an answer of the authoring system that breaks off is that system’s failure', async () => {
  const server = await startReceiver((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{', () => response.destroy());
  });
  const host = `author.localhost:${server.port}`;
  await folder.write('cut.yaml', fileAt(host));
  const planned = await repoless(['plan', '-f', 'cut.yaml'], { REPOLESS_AUTHOR_HOSTS: host });
  await server.stop();
  expect([planned.code, planned.out]).toEqual([
    1,
    expect.stringContaining(`plaza: The authoring system cannot be reached: ${host} does not respond.`),
  ]);
});

test('a certificate of the service that this machine does not trust is named once', async () => {
  const server = await startSecureHost(['localhost'], 1);
  const service = `https://localhost:${server.port}`;
  const outcomes = [];
  for (const hosted of [service, '']) {
    outcomes.push(await repoless(['doctor', '--organization', 'wknd'], { REPOLESS_SERVICE: service, REPOLESS_HOSTED: hosted }));
  }
  await server.stop();
  for (const { err } of outcomes)
    expect(err.match(/does not trust the certificate of localhost:\d+ \(DEPTH_ZERO_SELF_SIGNED_CERT\)\./g)).toHaveLength(1);
});
