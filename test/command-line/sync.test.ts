import { afterEach, describe, expect, test } from 'vitest';
import { wait } from '@repoless/core/api/exchange.ts';
import { ADA, SAM } from '../setup/setup-world.ts';
import { IS_HOSTED, offered } from '../support/on-both.ts';
import { world, env, folder, inCommandWorld, type CommandOutcome, sitesFile } from './command.ts';

inCommandWorld({ sites: true });
afterEach(async () => {
  await world.codeHost.fault({ mode: 'none' });
});

const repoless = (...argv: string[]): Promise<CommandOutcome> => folder.repoless(argv, { env, wait: (_, signal) => wait(20, signal) });
const jobs = async (site: string, ref = 'main') =>
  (await world.backend.call('GET', `/job/wknd/${site}/${ref}/code`, { as: ADA })).json() as { jobs: { name: string }[] };

describe('repoless sync', () => {
  test.runIf(offered('git'))('syncs a repository once for all sites that share it, and waits until it is served', async () => {
    const before = (await jobs('wknd')).jobs.length;
    const clone = await world.codeHost.clone('wknd');
    await clone.push({ 'styles/new.css': 'body { color: teal; }\n' });
    const sha = (await clone.git('rev-parse', 'HEAD')).trim();
    const result = await repoless('sync', '--organization', 'wknd', '--site', 'wknd', '--site', 'wknd-ch-de');
    expect(result).toMatchObject({ code: 0, out: `wknd/wknd, main: synced at ${sha}, for 2 sites.\n1 synced, 0 failed.\n` });
    expect(result.err).toMatch(/^wknd\/wknd, main: started as job-/);
    expect((await jobs('wknd')).jobs.length).toBe(before + 1);
    const served = await world.backend.visit('live', 'main--wknd-ch-de--wknd', '/styles/new.css');
    expect(served.text).toBe('body { color: teal; }\n');
  });

  test('accepts all sites of the file, or of the organization, and answers as JSON', async () => {
    const result = await repoless('sync', '--organization', 'wknd', '--json');
    expect(result.json()).toMatchObject({
      organization: 'wknd',
      branch: 'main',
      repositories: expect.arrayContaining([
        expect.objectContaining({ owner: 'wknd', repo: 'legacy', sites: ['legacy'], state: 'synced' }),
        expect.objectContaining({ owner: 'wknd', repo: 'wknd', state: 'synced', job: expect.stringMatching(/^job-/) }),
      ]),
    });
    expect(result.err).toBe('');
    await folder.write('sites.yaml', fileOf('legacy'));
    expect(await repoless('sync', '-f', 'sites.yaml')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^wknd\/legacy, main: synced/),
    });
  });

  test.runIf(offered('git'))('reports why a sync failed, and what to do', async () => {
    const missing = await repoless('sync', '--organization', 'wknd', '--site', 'wknd', '--branch', 'not-there');
    expect(missing.code).toBe(1);
    expect(missing.out).toMatch(/^wknd\/wknd, not-there: failed\. .*The repository has no branch “not-there”\./);
    expect(missing.out).toMatch(/^0 synced, 1 failed\.$/m);
  });

  test.runIf(offered('git'))('serves an earlier commit at all sites of the repository, until the branch is followed again', async () => {
    const clone = await world.codeHost.clone('wknd');
    const commits: string[] = [];
    for (const text of ['first', 'second']) {
      await clone.push({ 'version.txt': text });
      commits.push((await clone.git('rev-parse', 'HEAD')).trim());
      expect(await repoless('sync', '--organization', 'wknd', '--site', 'wknd')).toMatchObject({ code: 0 });
    }
    const [first = '', second = ''] = commits;
    const shown = async (site: string) => (await world.backend.visit('live', `main--${site}--wknd`, '/version.txt')).text;
    const serve = (commit: string, ...more: string[]) => repoless('sync', '--organization', 'wknd', '--commit', commit, ...more);

    const back = await serve(first, '--site', 'wknd');
    expect([back.code, back.out]).toEqual([0, expect.stringContaining(`wknd/wknd, main: all sites serve ${first} from now on`)]);
    expect([await shown('wknd'), await shown('wknd-ch-de')]).toEqual(['first', 'first']);
    const missing = await serve('0'.repeat(40), '--site', 'wknd');
    expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(new RegExp(`stored: .*${second}`))]);
    const ahead = await serve('latest', '--site', 'wknd', '--json');
    expect([ahead.code, ahead.json()]).toEqual([0, expect.objectContaining({ served: second, follows: true })]);
    expect(await shown('wknd-ch-de')).toBe('second');

    expect(await serve(first)).toMatchObject({ code: 2, err: expect.stringContaining('A commit belongs to one repository') });
    expect(await serve('main', '--site', 'wknd')).toMatchObject({ code: 2 });
  });

  test('only starts it with --no-wait', async () => {
    const result = await repoless('sync', '--organization', 'wknd', '--site', 'legacy', '--no-wait');
    const [job] = (await jobs('legacy')).jobs;
    expect(result).toMatchObject({ code: 0, out: expect.stringContaining(`wknd/legacy, main: started as ${job?.name}.`) });
  });

  test.runIf(offered('git'))('reports a stopped sync, and one whose end it does not wait for', async () => {
    await world.codeHost.fault({ mode: 'slow', delay: 600_000, path: '/wknd/legacy' });
    const leaving = new AbortController();
    const follow = (onStderr: (job: string) => void) =>
      folder.repoless(['sync', '--organization', 'wknd', '--site', 'legacy'], {
        env,
        signal: leaving.signal,
        wait: (_, signal) => wait(20, signal),
        onStderr: (text) => onStderr(/job-[\w-]+/.exec(text)?.[0] ?? ''),
      });
    const stop = (job: string) => world.backend.call('DELETE', `/job/wknd/legacy/main/code/${job}`, { as: ADA });
    const stopped = await follow((job) => void stop(job));
    expect(stopped).toMatchObject({ code: 1, out: expect.stringMatching(/^wknd\/legacy, main: stopped before it finished\./) });

    const left = await follow(() => leaving.abort());
    expect(left).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^wknd\/legacy, main: started as job-.* It continues in the service\.$/m),
    });
    expect((await stop(/job-[\w-]+/.exec(left.out)?.[0] ?? '')).status).toBe(204);
  });

  test('does not send the token to a service that the file names', async () => {
    await folder.write('sites.yaml', `service: http://127.0.0.1:9\n${fileOf('legacy')}`);
    for (const command of ['sync', 'plan']) {
      const result = await repoless(command, '-f', 'sites.yaml');
      expect(result).toMatchObject({ code: 2, err: expect.stringContaining('REPOLESS_TOKEN is for'), out: '' });
      const alone = await folder.repoless([command, '-f', 'sites.yaml'], { env: { REPOLESS_SERVICE: '', REPOLESS_TOKEN: 'of-somebody' } });
      expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('REPOLESS_SERVICE, which is not set'), out: '' });
    }
  });

  test.each([
    [['sync'], 2, /--organization/],
    [['sync', '--organization', 'wknd', '--branch', '...'], 2, /the name of a branch/],
    [['sync', '-f', 'sites.yaml', '--organization', 'other'], 2, /for the organization wknd, not other/],
    [['sync', '--organization', 'wknd', '--site', 'nowhere'], 1, /nowhere is not registered, or you have no role there\./],
  ])('refuses %j', async (argv, code, sentence) => {
    await folder.write('sites.yaml', fileOf('legacy'));
    expect(await repoless(...argv)).toMatchObject({ code, err: expect.stringMatching(sentence), out: '' });
  });

  test.runIf(offered('reading-roles'))('accepts the key of a single site, which may not list the others', async () => {
    const path = '/config/wknd/sites/legacy/apiKeys.json';
    const created = await world.backend.call('POST', path, { as: ADA, body: { description: 'pipeline', roles: ['develop'] } });
    const key = (created.json() as { value: string }).value;
    const result = await folder.repoless(['sync', '--organization', 'wknd', '--site', 'legacy'], {
      env: { ...env, REPOLESS_TOKEN: key },
      wait: (_, signal) => wait(20, signal),
    });
    expect(result).toMatchObject({ code: 0, out: expect.stringMatching(/^wknd\/legacy, main: synced at [0-9a-f]{40}, for 1 site\.$/m) });
  });

  test('is refused without permission to start it', async () => {
    const stranger = { ...env, REPOLESS_TOKEN: await world.backend.token(SAM) };
    const refusal = IS_HOSTED ? 'Your role does not allow this' : 'no role';
    const refused = await folder.repoless(['sync', '--organization', 'wknd', '--site', 'legacy'], { env: stranger });
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringContaining(refusal) });
  });
});

function fileOf(site: string): string {
  const head = { code: `{ owner: wknd, repo: ${site} }`, technicalAccount: undefined, cloudConfiguration: `/conf/${site}` };
  return sitesFile(world.authorAddress(), `  - name: ${site}\n    contentRoot: /content/${site}\n`, head);
}
