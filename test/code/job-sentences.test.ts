import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { OPERATOR, siteBody, startTestBackend, type TestBackend } from '../support/backend.ts';
import { untilStopped } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

type Answer = 'drop' | 'page' | number;

/** A host that gives every request the same answer, whichever system it stands for. */
async function hostThat(answer: () => Answer) {
  const server = createServer((request, response) => {
    const now = answer();
    if (now === 'drop') request.socket.destroy();
    else if (now === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
    else response.writeHead(now, { 'retry-after': '0' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: `localhost:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
}

async function put(backend: TestBackend, site: string, code: unknown): Promise<void> {
  const path = `/config/wknd/sites/${site}.json?unchecked=true`;
  expect((await backend.call('PUT', path, { as: OPERATOR, body: siteBody('wknd', site, { code }) })).status).toBe(201);
}

async function jobOf(backend: TestBackend, site: string, code: unknown): Promise<string | undefined> {
  await put(backend, site, code);
  return await ended(backend, site);
}

async function ended(backend: TestBackend, site: string): Promise<string | undefined> {
  return (await untilStopped(backend.address, `/job/wknd/${site}/main/code`, { 'x-auth-token': await backend.token(OPERATOR) })).error;
}

describe('the error of a job names its own cause', () => {
  let answer: Answer = 'drop';
  let count = 0;
  const settings = () => ({ CODE_HOST: `http://${stand.host}`, FIRST_CODE_SYNC: 'yes', CODE_RETRY_DELAY: '1' });
  const stand = startBeforeAll(() => hostThat(() => answer));
  const backend = startBeforeAll(() => startTestBackend({ settings: settings() }));
  const external = (repo: string) => ({
    owner: '100',
    repo,
    source: { type: 'byogit', url: `http://${stand.host}/api`, raw_url: `http://${stand.host}/raw`, secretId: 'cm-byog' },
  });

  it.each<readonly [Answer, RegExp, string]>([
    [401, /^HOST answered 401 for wknd\/REPO: it does not exist, or is private\./, 'Unable to fetch hlxignore: 401'],
    [403, /^HOST answered 403 for wknd\/REPO: it refuses to show the repository\./, 'Unable to fetch hlxignore: 403'],
    [404, /^HOST answered 404: the repository wknd\/REPO does not exist, or is private\./, 'branch not found'],
    [410, /^HOST answered 410 for wknd\/REPO\.$/, 'Unable to fetch hlxignore: 410'],
    [429, /^HOST answered 429: too many requests\.$/, 'Unable to fetch hlxignore: 429'],
    [500, /^HOST answered 500\.$/, 'Unable to fetch hlxignore: 500'],
    ['drop', /^HOST closed the connection without an answer\.$/, 'Unable to fetch hlxignore: HOST does not respond.'],
    ['page', /^HOST answers, but not as a git repository\./, 'Unable to fetch branch: the response has an unexpected form.'],
  ])('if the host answers %s', async (now, sentence, byogit) => {
    answer = now;
    count += 1;
    const told = await jobOf(backend, `git-${count}`, { owner: 'wknd', repo: `repo-${count}` });
    expect(told?.replaceAll(stand.host, 'HOST').replaceAll(`repo-${count}`, 'REPO')).toMatch(sentence);
    const site = `byogit-${count}`;
    await put(backend, site, external(`repo-${count}`));
    await backend.call('POST', `/config/wknd/sites/${site}/secrets/cm-byog.json`, { as: OPERATOR, body: { value: 'some-secret' } });
    const other = await ended(backend, site);
    expect(other?.replaceAll(stand.host, 'HOST')).toContain(byogit);
  });

  it('if the host name does not resolve, or nothing listens', async () => {
    const nowhere = await startTestBackend({ settings: { ...settings(), CODE_HOST: 'http://nowhere.invalid' } });
    expect(await jobOf(nowhere, 'site', { owner: 'wknd', repo: 'one' })).toBe('The host name nowhere.invalid cannot be resolved.');
    await nowhere.stop();
    const silent = await startTestBackend({ settings: { ...settings(), CODE_HOST: 'http://127.0.0.1:9' } });
    expect(await jobOf(silent, 'site', { owner: 'wknd', repo: 'one' })).toBe('127.0.0.1:9 does not respond.');
    await silent.stop();
  });
});
