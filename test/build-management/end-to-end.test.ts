import { Delivery, type ExternalRepository, type LinkOutcome, type WebhookCredentials } from '@repoless/contract/build-management.ts';
import { JobStatus } from '@repoless/contract/job.ts';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { OPERATOR, siteBody } from '../support/backend.ts';
import { startByogit } from '../support/byogit.ts';
import { cloneOf, type CodeClone } from '../support/code-world.ts';
import { GITHUB } from './payloads.ts';
import { startBuildWorld, until } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const LIST = '/organizations/wknd/repositories';
let repository: ExternalRepository;
let linked: LinkOutcome;
let hook: WebhookCredentials;
let clone: CodeClone;

const world = startBeforeAll(() => startBuildWorld({}, ['wknd', 'other']));
const folder = startBeforeAll(temporaryDirectory);
beforeAll(async () => {
  clone = await cloneOf(world.vendor.address, 'northwind/storefront', join(folder.path, 'clone'));
  repository = await world.ready();
  linked = await world.link(repository.repositoryId, 'first');
  hook = await world.webhook(repository.repositoryId);
  await enter(hook);
});

it('serves a pushed file on both sites of a repository, though the second has no secret', async () => {
  const { secretId: _, ...further } = linked.code.source;
  await register('first', linked.code);
  await setSecret('first', linked.secret);
  await register('second', { ...linked.code, source: further });
  await clone.push({ 'styles/styles.css': 'body { color: teal; }\n' });
  const started = performance.now();
  for (const site of ['first', 'second']) await served(site, '/styles/styles.css', 'body { color: teal; }\n');
  process.stdout.write(`push → served on two sites: ${Math.round(performance.now() - started)} ms\n`);
  const delivery = await world.delivered(repository.repositoryId);
  expect(delivery).toMatchObject({ event: 'push', outcome: 'done', changes: [{ branch: 'main', type: 'updated' }] });
  expect(delivery.jobs).toHaveLength(1);
  expect(delivery.jobs[0]?.name).toBe((await ended('second')).name);
});

it('serves another branch, until it is deleted at the vendor', async () => {
  await clone.push({ 'styles/styles.css': 'body { color: plum; }\n' }, 'feature/One');
  await served('first', '/styles/styles.css', 'body { color: plum; }\n', 'feature-one');
  await clone.git('push', '--quiet', 'origin', '--delete', 'feature/One');
  await until(async () => ((await visit('first', '/styles/styles.css', 'feature-one')).status === 200 ? undefined : true));
  const [delivery] = await world.deliveries(repository.repositoryId);
  expect(delivery?.changes).toEqual([{ branch: 'feature/One', type: 'deleted' }]);
  expect((await visit('first', '/styles/styles.css')).status).toBe(200);
});

it('a sync fails with the message of the contract after the repository is linked elsewhere, and succeeds with the new secret', async () => {
  const elsewhere = await world.link(repository.repositoryId, 'elsewhere');
  expect(elsewhere.revoked).toEqual({ site: 'first' });
  await clone.push({ 'styles/styles.css': 'body { color: navy; }\n' });
  await world.delivered(repository.repositoryId, ({ jobs, changes }) => jobs.length > 0 && changes[0]?.branch === 'main');
  const failed = await until(async () => {
    const status = await ended('first');
    return status.error === undefined ? undefined : status;
  });
  expect(failed.error).toBe('Unable to fetch hlxignore: 401');
  expect((await ended('second')).error).toBe('Unable to fetch hlxignore: 401');
  await setSecret('first', elsewhere.secret);
  await syncCode('main');
  await served('second', '/styles/styles.css', 'body { color: navy; }\n');
});

it('syncs a branch on request, without an event', async () => {
  await vendorEvents('lost');
  await clone.push({ 'styles/styles.css': 'body { color: gold; }\n' });
  await vendorEvents('none');
  const delivery = await syncCode('main');
  expect(delivery).toMatchObject({ event: 'sync code', outcome: 'done', user: OPERATOR });
  await served('first', '/styles/styles.css', 'body { color: gold; }\n');
  const before = await world.deliveries(repository.repositoryId);
  const refused = await askForSync('nowhere');
  expect([refused.status, refused.headers['x-error']]).toEqual([404, expect.stringMatching(/has no branch "nowhere" at the git vendor/)]);
  const invalid = await askForSync('+');
  expect([invalid.status, invalid.headers['x-error']]).toEqual([400, expect.stringContaining('The branch "+" cannot have a host name')]);
  await world.fault('unavailable');
  const unreachable = await askForSync('main');
  await world.fault('none');
  expect([unreachable.status, unreachable.headers['x-error-code']]).toEqual([502, 'REPOSITORY_UNREACHABLE']);
  expect(await world.deliveries(repository.repositoryId)).toEqual(before);
});

it('does not notify another organization with the same numbers', async () => {
  const foreign = await startByogit('a-secret-of-its-own');
  const { url, rawUrl } = foreign;
  const { owner, repo } = linked.code;
  const code = { owner, repo, source: { type: 'byogit', url, raw_url: rawUrl, secretId: 'cm-byog' } };
  const body = siteBody('other', 'x', { code });
  expect((await world.backend.call('PUT', '/config/other/sites/x.json', { as: OPERATOR, body })).status).toBe(201);
  foreign.requests.length = 0;
  expect((await syncCode('main')).jobs).toHaveLength(1);
  await ended('first');
  expect(foreign.requests).toEqual([]);
  const [delivery] = await world.deliveries(repository.repositoryId);
  expect(delivery?.jobs).toHaveLength(1);
  await foreign.stop();
});

it('processes a push once that the vendor sends twice, and refuses one with a wrong signature', async () => {
  await vendorEvents('twice');
  await clone.push({ 'styles/styles.css': 'body { color: pink; }\n' });
  await served('first', '/styles/styles.css', 'body { color: pink; }\n');
  await world.delivered(repository.repositoryId, ({ repeats }) => repeats === 1);
  await vendorEvents('wrong-signature');
  await clone.push({ 'styles/styles.css': 'body { color: gray; }\n' });
  await world.delivered(repository.repositoryId, ({ outcome }) => outcome === 'refused');
  await vendorEvents('none');
  expect((await visit('first', '/styles/styles.css')).text).toBe('body { color: pink; }\n');
});

it('accepts a force push', async () => {
  await clone.git('reset', '--quiet', '--hard', 'HEAD~2');
  await clone.push({ 'styles/styles.css': 'body { color: lime; }\n' });
  await served('second', '/styles/styles.css', 'body { color: lime; }\n');
});

it('resumes accepted work after a restart', async () => {
  await world.fault('slow', { delay: 600_000 });
  const answer = await syncBehind();
  await world.restart(() => world.fault('none'));
  expect((await world.delivered(repository.repositoryId, ({ id }) => id === answer)).outcome).toBe('done');
});

/** A delivery that is in progress when the program stops. */
async function syncBehind(): Promise<string> {
  const before = new Set((await world.deliveries(repository.repositoryId)).map(({ id }) => id));
  const { pathname, search } = new URL(hook.address);
  const sent = GITHUB.sign(GITHUB.push('main', randomUUID()), hook.secret);
  expect((await world.call('POST', `${pathname}${search}`, { as: null, ...sent })).status).toBe(202);
  return await until(async () => (await world.deliveries(repository.repositoryId)).find(({ id }) => !before.has(id))?.id);
}

/** Creates the webhook at the vendor, as a person does. */
async function enter({ address, secret }: WebhookCredentials): Promise<void> {
  const form = new URLSearchParams({ form: 'github-enterprise', address, secret });
  await fetch(`${world.vendor.address}/northwind/storefront/hooks`, { method: 'POST', body: form });
}

async function vendorEvents(mode: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${world.vendor.address}/sandbox/events`, { method: 'POST', headers, body: JSON.stringify({ mode }) });
}

async function register(site: string, code: unknown): Promise<void> {
  const answer = await world.backend.call('PUT', `/config/wknd/sites/${site}.json`, {
    as: OPERATOR,
    body: siteBody('wknd', site, { code }),
  });
  expect([200, 201], answer.text).toContain(answer.status);
}

async function setSecret(site: string, value: string): Promise<void> {
  const answer = await world.backend.call('POST', `/config/wknd/sites/${site}/secrets/cm-byog.json`, { as: OPERATOR, body: { value } });
  expect(answer.status, answer.text).toBe(200);
}

const askForSync = (branch: string) => world.call('POST', `${LIST}/${repository.repositoryId}/sync`, { body: { branch } });

async function syncCode(branch: string): Promise<Delivery> {
  return Delivery.parse((await askForSync(branch)).json());
}

const visit = (site: string, path: string, ref = 'main') => world.backend.visit('preview', `${ref}--${site}--wknd`, path);

async function served(site: string, path: string, text: string, ref = 'main'): Promise<void> {
  await until(async () => {
    const answer = await visit(site, path, ref);
    return answer.text === text ? true : undefined;
  });
}

async function ended(site: string): Promise<JobStatus> {
  return await until(async () => {
    const status = JobStatus.parse((await world.backend.call('GET', `/job/wknd/${site}/main/code`, { as: OPERATOR })).json());
    return status.state === 'stopped' ? status : undefined;
  });
}
