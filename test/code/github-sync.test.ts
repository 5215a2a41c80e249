import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '@repoless/contract/limits.ts';
import { JobDetails } from '@repoless/contract/job.ts';
import type { TestAnswer } from '../support/ask.ts';
import { OPERATOR } from '../support/backend.ts';
import { githubSignature, reportPush, startCodeWorld } from '../support/code-world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SECRET = 'the-secret-of-the-webhook';
/** A path that the code does not have is requested from the content source, which does not exist here. */
const NOT_SERVED = 502;

const world = startBeforeAll(() => startCodeWorld({ settings: { GITHUB_WEBHOOK_SECRET: SECRET, CODE_FILE_LIMIT: '20000' } }));
beforeAll(async () => {
  await world.register('site-one');
  await world.register('site-two');
});

const visit = (site: string, path: string, headers: Record<string, string> = {}, ref = 'main') =>
  world.backend.visit('preview', `${ref}--${site}--wknd`, path, { headers });

async function details(site: string, ref = 'main'): Promise<JobDetails> {
  const { name } = await world.status(site, ref);
  const answer = await world.backend.call('GET', `/job/wknd/${site}/${ref}/code/${name ?? ''}/details`, { as: OPERATOR });
  return JobDetails.parse(answer.json());
}

describe('the sync of a repository on the code host', () => {
  it('serves its files on all sites that use it', async () => {
    const status = await world.sync('site-one');
    expect(status).toMatchObject({
      state: 'stopped',
      topic: 'code',
      data: { phase: 'completed', owner: 'wknd', repo: 'wknd', branch: 'main' },
    });
    expect(status.error).toBeUndefined();
    expect(status.progress?.processed).toBe(status.progress?.total);
    expect((await world.status('site-two')).name).toBe(status.name);
    for (const site of ['site-one', 'site-two']) {
      const answer = await visit(site, '/styles/styles.css');
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
      expect(answer.text).toContain('{');
    }
  });

  it('answers conditional requests with 304, and single ranges', async () => {
    const complete = await visit('site-one', '/scripts/scripts.js');
    const etag = complete.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await visit('site-one', '/scripts/scripts.js', { 'if-none-match': etag })).status).toBe(304);
    const part = await visit('site-one', '/scripts/scripts.js', { range: 'bytes=2-5' });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([
      206,
      complete.text.slice(2, 6),
      `bytes 2-5/${complete.text.length}`,
    ]);
    expect((await visit('site-one', '/scripts/scripts.js', { range: 'bytes=-3' })).text).toBe(complete.text.slice(-3));
    expect((await visit('site-one', '/scripts/scripts.js', { range: 'bytes=999999-' })).status).toBe(416);
    expect((await visit('site-one', '/scripts/scripts.js', { range: 'bytes=2-5', 'if-range': '"other"' })).status).toBe(200);
  });

  it('skips excluded files, and reports how many', async () => {
    await symlink('/etc/passwd', join(world.clone.folder, 'passwd'));
    await world.clone.push({
      'node_modules/x/index.js': 'no',
      'with space.txt': 'no',
      'drafts/one.html': 'no',
      '.hlxignore': 'drafts/*\n',
      'video.mp4': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n',
      'large.bin': 'x'.repeat(20_001),
    });
    const status = await world.sync('site-one');
    expect(status.data?.ignored).toEqual({ symlink: 1, node_modules: 1, path: 1, '.hlxignore': 1, 'large file pointer': 1 });
    expect(status.progress).toMatchObject({ ignored: 5, failed: 1 });
    expect((await details('site-one')).data.resources).toEqual([{ path: 'large.bin', status: 413 }]);
    const paths = ['/passwd', '/node_modules/x/index.js', '/with%20space.txt', '/drafts/one.html', '/video.mp4', '/large.bin'];
    const statuses = await Promise.all(paths.map(async (path) => (await visit('site-one', path)).status));
    // The content source is not asked for scripts and .html.
    expect(statuses).toEqual([NOT_SERVED, 404, NOT_SERVED, 404, NOT_SERVED, NOT_SERVED]);
  });

  it('names the file that a commit changes, and serves its new content', async () => {
    await world.clone.push({ 'styles/styles.css': 'body { color: teal }\n' });
    await world.sync('site-two');
    expect((await details('site-one')).data.changes).toEqual([{ type: 'modified', path: 'styles/styles.css' }]);
    expect((await visit('site-one', '/styles/styles.css')).text).toBe('body { color: teal }\n');
  });

  it('serves a branch on the host of its sanitized name until it is deleted', async () => {
    await world.clone.push({ 'branch.txt': 'branch' }, 'Feature/One');
    const status = await world.sync('site-one', 'feature-one');
    expect(status.data).toMatchObject({ ref: 'feature-one', branch: 'Feature/One' });
    expect((await visit('site-one', '/branch.txt', {}, 'feature-one')).text).toBe('branch');
    expect((await visit('site-one', '/branch.txt')).status).toBe(NOT_SERVED);
    const code = await world.backend.call('GET', '/code/wknd/site-two/*', { as: OPERATOR });
    expect(code.json()).toEqual({ owner: 'wknd', repo: 'wknd', branches: ['Feature/One', 'main'] });
    const early = await hook({ ref: 'refs/heads/Feature/One', deleted: true });
    expect(early.status).toBe(202);
    await world.ended('site-one', 'feature-one');
    expect((await visit('site-one', '/branch.txt', {}, 'feature-one')).text).toBe('branch');
    await world.clone.git('push', '--quiet', 'origin', '--delete', 'Feature/One');
    expect((await hook({ ref: 'refs/heads/Feature/One', deleted: true })).status).toBe(200);
    expect((await visit('site-one', '/branch.txt', {}, 'feature-one')).status).toBe(NOT_SERVED);
    expect((await hook({ ref: 'refs/heads/main', deleted: true })).json()).toMatchObject({
      ignored: expect.stringContaining('never') as string,
    });
    expect((await visit('site-one', '/styles/styles.css')).status).toBe(200);
  });

  it('follows a force push', async () => {
    await world.clone.git('reset', '--quiet', '--hard', 'HEAD~1');
    await world.clone.push({ 'styles/styles.css': 'body { color: plum }\n' });
    await world.sync('site-one');
    expect((await visit('site-two', '/styles/styles.css')).text).toBe('body { color: plum }\n');
  });

  it('fails with a clear message if the pushed branch is missing', async () => {
    expect((await hook({ ref: 'refs/heads/nowhere' })).status).toBe(202);
    expect((await world.ended('site-one', 'nowhere')).error).toBe('branch not found');
  });

  it('survives a temporarily unavailable code host', async () => {
    await world.clone.push({ 'survived.txt': 'there' });
    await world.fault('unavailable', { path: '/wknd/wknd', times: 2 });
    expect((await world.sync('site-one')).error).toBeUndefined();
    // It was unavailable for the two requests.
    expect(await (await fetch(`${world.codeHost.address}/sandbox/faults`)).json()).toMatchObject({ mode: 'none' });
    expect((await visit('site-one', '/survived.txt')).text).toBe('there');
  });

  it('is joined by concurrent requests, and includes a later push', async () => {
    const nameOf = (answer: TestAnswer) => (answer.json() as { job: { name: string } }).job.name;
    await world.fault('slow', { path: '/wknd/wknd', delay: 3000, times: 1 });
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => world.start(`site-${n % 2 ? 'one' : 'two'}`)));
    const names = new Set(answers.map(nameOf));
    // One sync is in progress, and one more waits for all who requested one since.
    expect(names.size).toBeLessThanOrEqual(2);
    await world.clone.push({ 'joined.txt': 'new' });
    expect(names).toContain(nameOf(await world.start('site-one')));
    expect(names).toContain((await world.ended('site-one')).name);
    expect((await visit('site-two', '/joined.txt')).text).toBe('new');
  });
});

describe('webhooks of the code host', () => {
  it('start a sync of the branch for all sites on the repository, once per delivery', async () => {
    await world.clone.push({ 'hooked.txt': 'one' });
    const first = await hook({ ref: 'refs/heads/main' }, { 'x-github-delivery': 'd-1' });
    expect([first.status, first.json()]).toMatchObject([202, { jobs: [{ joined: false }] }]);
    await world.ended('site-two');
    expect((await visit('site-two', '/hooked.txt')).text).toBe('one');
    const again = await hook({ ref: 'refs/heads/main' }, { 'x-github-delivery': 'd-1' });
    expect([again.status, again.json()]).toMatchObject([200, { jobs: [], ignored: expect.stringContaining('already') as string }]);
  });

  it('start the first sync of a repository that the code host spells differently from its sites', async () => {
    const code = { owner: 'wknd', repo: 'legacy' };
    await world.register('other-code', { code });
    const repository = { name: 'Legacy', owner: { login: 'WKND' }, pushed_at: 'spelled' };
    const long = 'a'.repeat(60);
    const unfit = await hook({ ref: `refs/heads/${long}`, repository });
    expect([unfit.status, unfit.json()]).toMatchObject([202, { jobs: [], ignored: expect.stringContaining('DNS allows') as string }]);
    const pushed = await hook({ ref: 'refs/heads/main', repository });
    expect([pushed.status, pushed.json()]).toMatchObject([202, { jobs: [{ joined: false }] }]);
    expect((await world.ended('other-code')).error).toBeUndefined();
  });

  it('are remembered up to LIMITS.rememberedDeliveries, preferring those that expire last', async () => {
    const { shortLived } = world.backend.store;
    const soon = new Date(Date.now() + 60_000);
    const older = Array.from({ length: LIMITS.rememberedDeliveries }, (_, n) => shortLived.put('webhook', `older-${n}`, true, soon));
    await Promise.all(older);
    const remembered = await shortLived.count('webhook');
    expect(remembered).toBeGreaterThanOrEqual(LIMITS.rememberedDeliveries);
    await hook({ ref: 'refs/heads/main' }, { 'x-github-delivery': 'one-more' });
    expect(await shortLived.count('webhook')).toBe(LIMITS.rememberedDeliveries);
    expect(await shortLived.get('webhook', 'one-more')).toBe(true);
    expect(await shortLived.get('webhook', 'd-1')).toBe(true);
  }, 120_000);

  it('are processed once, even if the same signed bytes arrive under another name', async () => {
    const repository = { name: 'wknd', owner: { login: 'wknd' }, pushed_at: 'once' };
    const first = await hook({ ref: 'refs/heads/main', repository }, { 'x-github-delivery': 'd-2' });
    expect(first.status).toBe(202);
    await world.ended('site-one');
    const jobs = async () => (await world.status('site-one')).jobs.length;
    const before = await jobs();
    for (const name of ['d-3', 'd-4', undefined]) {
      const again = await hook({ ref: 'refs/heads/main', repository }, name === undefined ? {} : { 'x-github-delivery': name });
      expect([again.status, again.json()]).toMatchObject([200, { jobs: [], ignored: expect.stringContaining('already') as string }]);
    }
    expect(await jobs()).toBe(before);
  });

  it('are refused for an invalid signature before anything else', async () => {
    const body = 'no json';
    const call = (headers: Record<string, string>) =>
      world.backend.call('POST', '/webhook/github', { body, headers: { 'content-type': 'application/json', ...headers } });
    const codes = async (headers: Record<string, string>) => (await call(headers)).headers['x-error-code'];
    expect(await codes({ 'x-github-event': 'push' })).toBe('INVALID_SIGNATURE');
    const unsigned = { 'content-type': 'application/json' };
    const empty = await world.backend.call('POST', '/webhook/github', { headers: unsigned });
    expect([empty.status, empty.headers['x-error-code']]).toEqual([400, 'INVALID_SIGNATURE']);
    const untyped = { body, headers: { 'content-type': 'text/plain' } };
    expect((await world.backend.call('POST', '/webhook/github', untyped)).headers['x-error-code']).toBe('INVALID_SIGNATURE');
    expect(await codes({ 'content-type': 'text/plain', 'x-hub-signature-256': githubSignature(body, SECRET) })).toBe(
      'CONTENT_TYPE_UNSUPPORTED',
    );
    for (const [path, more, code] of [
      ['/webhook/github?dryRun=true', {}, 'QUERY_INVALID'],
      ['/webhook/github', { 'x-dry-run': 'true' }, 'QUERY_INVALID'],
      ['/webhook/github', { 'if-match': '"made-up"' }, 'PRECONDITION_FAILED'],
    ] as const) {
      const refused = await world.backend.call('POST', path, { body, headers: { ...unsigned, ...more } });
      expect([path, refused.headers['x-error-code']]).toEqual([path, 'INVALID_SIGNATURE']);
      const signed = { ...unsigned, 'x-github-event': 'push', 'x-hub-signature-256': githubSignature(body, SECRET), ...more };
      expect((await world.backend.call('POST', path, { body, headers: signed })).headers['x-error-code']).toBe(code);
    }
    expect(await codes({ 'x-github-event': 'push', 'x-hub-signature-256': githubSignature(body, 'another') })).toBe('INVALID_SIGNATURE');
    expect(await codes({ 'x-github-event': 'push', 'x-hub-signature-256': githubSignature(body, SECRET) })).toBe('BODY_UNPARSABLE');
    expect((await call({ 'x-github-event': 'ping', 'x-hub-signature-256': githubSignature(body, SECRET) })).status).toBe(200);
    const unknown = await hook({ ref: 'refs/heads/main', repository: { name: 'other', owner: { login: 'nobody' } } });
    expect([unknown.status, unknown.json()]).toMatchObject([200, { jobs: [] }]);
  });
});

/** The code host writes the time of a push into its event. */
let pushes = 0;
function hook(push: Record<string, unknown>, headers: Record<string, string> = {}) {
  const repository = { name: 'wknd', owner: { login: 'wknd' }, pushed_at: (pushes += 1) };
  return reportPush(world.backend, SECRET, { repository, ...push }, headers);
}
