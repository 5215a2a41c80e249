import { describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/backend.ts';
import { codeCalls, externalCode } from '../support/code-world.ts';
import { startReceiver } from '../support/receiver.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

type Answer = 'drop' | 'page' | number;

async function jobOf(backend: TestBackend, site: string, code: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  const { register, ended } = codeCalls(backend);
  await register(site, { code }, 'unchecked');
  return (await ended(site)).error;
}

describe('the error of a job names its own cause', () => {
  let answer: Answer = 'drop';
  let count = 0;
  const settings = () => ({ CODE_HOST: `http://${host()}`, FIRST_CODE_SYNC: 'yes', CODE_RETRY_DELAY: '1' });
  /** Gives every request the same answer, whichever system it stands for. */
  const stand = startBeforeAll(() =>
    startReceiver((request, response) => {
      if (answer === 'drop') request.socket.destroy();
      else if (answer === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
      else response.writeHead(answer, { 'retry-after': '0' }).end();
    }),
  );
  const host = () => `localhost:${stand.port}`;
  const backend = startBeforeAll(() => startTestBackend({ settings: settings() }));

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
    expect(told?.replaceAll(host(), 'HOST').replaceAll(`repo-${count}`, 'REPO')).toMatch(sentence);
    const site = `byogit-${count}`;
    const calls = codeCalls(backend);
    await calls.registerExternal(site, externalCode(`http://${host()}`, { owner: '100', repo: `repo-${count}`, secretId: 'cm-byog' }));
    const { error: other } = await calls.ended(site);
    expect(other?.replaceAll(host(), 'HOST')).toContain(byogit);
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
