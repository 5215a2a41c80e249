import { startCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

describe('the code host', () => {
  let folder: string;
  let host: Running;
  const start = (port: number) => startCodeHost({ port, dataDir: join(folder, 'data') });
  const git = (...command: string[]) =>
    run('git', command, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' },
    });
  const raw = async (path: string) => (await fetch(`${host.address}/raw${path}`)).text();
  /** A commit with a challenge file, pushed as this account. */
  const push = async (org: string, repo: string, account: string, content: string) => {
    const clone = await mkdtemp(join(folder, 'clone-'));
    await git('clone', '--quiet', `${host.address}/${org}/${repo}`, clone);
    await writeFile(join(clone, 'challenge.txt'), content);
    await git('-C', clone, 'add', '.');
    await git('-C', clone, '-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '-m', 'Answer the challenge');
    const target = new URL(`${host.address}/${org}/${repo}.git`);
    if (account !== '') [target.username, target.password] = [encodeURIComponent(account), 'sandbox'];
    await git('-C', clone, 'push', '--quiet', target.href, 'main');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'code-host-'));
    host = await start(0);
  });
  afterAll(async () => {
    await host.stop();
    await rm(folder, { recursive: true });
  });

  it('lets git clone a repository with its history', async () => {
    const clone = join(folder, 'clone');
    await git('clone', '--quiet', `${host.address}/wknd/wknd`, clone);
    expect(await readFile(join(clone, 'head.html'), 'utf8')).toContain('/scripts/scripts.js');
    expect((await git('-C', clone, 'ls-files')).stdout.split('\n')).toEqual(
      expect.arrayContaining([
        '.hlxignore',
        'blocks/hero/hero.js',
        'component-definition.json',
        'component-filters.json',
        'component-models.json',
      ]),
    );
    expect((await git('-C', clone, 'rev-list', '--count', 'main')).stdout.trim()).toBe('5');
  });

  it('continues if clients disconnect before git answers', async () => {
    const leave = () =>
      new Promise<void>((left) => {
        const outgoing = request(`${host.address}/wknd/wknd/info/refs?service=git-upload-pack`);
        outgoing.on('finish', () => outgoing.destroy());
        outgoing.on('error', () => undefined).on('close', left);
        outgoing.end();
      });
    await Promise.all(Array.from({ length: 10 }, leave));
    expect((await git('ls-remote', '--heads', `${host.address}/wknd/wknd`)).stdout).toMatch(/refs\/heads\/main\n$/);
  });

  it('serves files of a branch as plain text', async () => {
    expect(await raw('/wknd/legacy/main/fstab.yaml')).toContain('mountpoints:');
    const styles = await fetch(`${host.address}/raw/wknd/wknd/main/styles/styles.css`);
    expect(styles.headers.get('content-type')).toContain('text/plain');
  });

  it('accepts names in any case', async () => {
    expect(await raw('/WKND/Legacy/main/fstab.yaml')).toContain('mountpoints:');
    expect((await git('ls-remote', '--heads', `${host.address}/Wknd/WKND`)).stdout).toMatch(/refs\/heads\/main\n$/);
  });

  it.each([
    '/wknd/wknd/main/none.txt',
    '/wknd/wknd/other/head.html',
    '/wknd/none/main/head.html',
    '/wknd/wknd/main/blocks',
    '/wknd/wknd/--help/head.html',
  ])('has no raw file at %s', async (path) => {
    expect((await fetch(`${host.address}/raw${path}`)).status).toBe(404);
  });

  it.each([
    ['wknd', 200],
    ['acme', 200],
    ['nobody', 404],
    ['%2e%2e', 404],
  ])('knows whether an organization %s exists', async (org, status) => {
    expect((await fetch(`${host.address}/api/orgs/${org}`)).status).toBe(status);
  });

  it('shows a person the contents of a repository', async () => {
    expect(await (await fetch(`${host.address}/wknd/wknd`)).text()).toContain('component-models.json');
  });

  it('accepts a member’s push and shows it at once, whatever was requested before', async () => {
    expect(await raw('/acme/site/main/challenge.txt')).toBe('404: Not Found\n');
    for (const content of ['from nora', 'from nora again']) {
      await push('acme', 'site', 'nora.neighbour@example.com', content);
      expect(await raw('/acme/site/main/challenge.txt')).toBe(content);
    }
  });

  it('shows a branch whose name is packed', async () => {
    await git('--git-dir', join(folder, 'data/repositories/acme/site.git'), 'pack-refs', '--all');
    expect(await raw('/acme/site/main/challenge.txt')).toBe('from nora again');
  });

  it.each(['', 'nora.neighbour@example.com', 'sam.stranger@example.com'])('refuses the push of "%s" to wknd', async (account) => {
    await expect(push('wknd', 'wknd', account, 'no')).rejects.toThrow(/403|could not read Username|Authentication failed/);
    expect(await raw('/wknd/wknd/main/challenge.txt')).toBe('404: Not Found\n');
  });

  it('preserves pushes over a restart', async () => {
    await push('wknd', 'wknd', 'ada.admin@example.com', 'from ada');
    const port = Number(new URL(host.address).port);
    await host.stop();
    host = await start(port);
    expect(await raw('/wknd/wknd/main/challenge.txt')).toBe('from ada');
  });

  it('lets a browser of any origin read raw files, and learn that one is missing', async () => {
    const [there, missing] = await Promise.all(
      ['head.html', 'paths.json'].map((file) => fetch(`${host.address}/raw/wknd/wknd/main/${file}`)),
    );
    expect([there?.status, missing?.status]).toEqual([200, 404]);
    for (const answer of [there, missing]) expect(answer?.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('fails on request', async () => {
    const fault = (mode: string) => fetch(`${host.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ mode }) });
    await fault('forbidden');
    expect((await fetch(`${host.address}/api/orgs/wknd`)).status).toBe(403);
    await fault('down');
    await expect(fetch(`${host.address}/api/orgs/wknd`)).rejects.toThrow();
    expect((await fault('burning')).status).toBe(400);
    await fault('none');
    expect((await fetch(`${host.address}/api/orgs/wknd`)).status).toBe(200);
  });
});
