import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { EventList } from '@repoless/contract/event.ts';
import { CreatedApiKey } from '@repoless/contract/credentials.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { renderPage, violations } from './render-page.tsx';
import { register, showSites } from './rollouts-world.tsx';
import { siteOf } from './sites-world.ts';
import { createWorld } from './world.ts';
import { startBeforeAll } from '../support/start-before-all.ts';

const SITE = 'linked-de';
const ELLA = 'ella.editor@example.com';
const GROUPED = 'gus.grouped@example.com';
const MANY = Array.from({ length: 60 }, (_, index) => `person-${String(index).padStart(2, '0')}@example.com`);
/** Milliseconds by which the service's clock is ahead. */
let ahead = 0;
const backend = startBeforeAll(() => startTestBackend({ now: () => new Date(Date.now() + ahead) }));
let key: string;

beforeAll(async () => {
  const access = { admin: { role: { admin: [OPERATOR], author: [ELLA.toUpperCase()] } } };
  await register(backend, SITE, '/content/wknd/de', { access });
  const users = [
    { id: '1', email: OPERATOR, roles: ['admin'] },
    ...MANY.map((email, index) => ({ id: `m${index}`, email, roles: ['author'] })),
  ];
  await call('POST', '/config/wknd.json', { users, groups: { editors: { members: [{ email: GROUPED }] } } });
  key = CreatedApiKey.parse(
    (await call('POST', `/config/wknd/sites/${SITE}/apiKeys.json`, { description: 'For the build', expiresIn: 86_400 })).json(),
  ).id;
  const expires = new Date(Date.now() + 5 * 86_400_000).toISOString();
  await call('POST', `/config/wknd/sites/${SITE}/secrets/vendor.json`, { value: 'the-token-of-a-vendor', expires });
  await call('PUT', `/config/wknd/sites/${SITE}/checks.json`, checkResult('fine'));
  await call('PUT', `/config/wknd/sites/${SITE}/checks.json`, checkResult('wrong'));
  // The service checks for ended problems every ten minutes.
  ahead = 11 * 60_000;
  await vi.waitFor(async () => expect(EventList.parse((await call('GET', '/config/wknd/events.json')).json()).events).toHaveLength(3), {
    timeout: 10_000,
    interval: 50,
  });
});

async function call(method: string, path: string, body?: unknown) {
  const answer = await backend.call(method, path, { as: OPERATOR, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

function checkResult(verdict: 'fine' | 'wrong') {
  return { version: 1, switched: true, drifts: [], findings: [{ check: 'project-type', verdict, data: { site: SITE } }] };
}

const at = (parameters: string) => showSites(backend, { hash: `#/organization?${parameters}` });
const named = () => screen.queryAllByRole('link', { current: 'location' });
const arrived = async (name: string) =>
  await waitFor(() => {
    expect(document.activeElement?.textContent).toBe(name);
    expect(named()).toContain(document.activeElement);
  });

describe('a notification gives advice and links', () => {
  test.each([
    ['Open the API key', /Create a new key, use it in its place/, 'For the build', () => `place=access&site=${SITE}&key=${key}`],
    ['Open the secret', /Set a new value in its place/, 'vendor', () => `place=configuration&site=${SITE}&secret=vendor`],
  ])('to its place: “%s”', async (link, advice, name, address) => {
    const { person } = await at('place=notifications');
    const list = within(await screen.findByRole('list', { name: 'Notifications' }));
    list.getByText(advice);
    expect(await violations()).toEqual([]);
    await person.click(list.getByRole('link', { name: new RegExp(`^${link}`) }));
    await arrived(name);
    expect(new URLSearchParams(location.hash.split('?')[1]).toString()).toBe(address());
    expect(await violations()).toEqual([]);
  });

  test('to the finding of a failed check', async () => {
    await at('place=notifications');
    const link = await screen.findByRole('link', { name: `Open the finding: ${SITE} Project type` });
    expect(link.getAttribute('href')).toContain(`place=health&site=${SITE}&finding=project-type`);
    screen.getByText('Check found errors: Project type');
  });
});

describe('an access entry', () => {
  test('has an address that ignores case, and expands the group that hides it', async () => {
    await at(`place=access&site=${SITE}&who=${encodeURIComponent(ELLA)}`);
    await arrived(ELLA.toUpperCase());
    expect(document.activeElement?.closest('details')?.open).toBe(true);
  });

  test.each([
    ['beyond the initially rendered ones', MANY.at(-1) ?? ''],
    ['within a group', GROUPED],
  ])('can be found %s', async (_, who) => {
    await at(`place=access&who=${encodeURIComponent(who)}`);
    await arrived(who);
    expect(await violations()).toEqual([]);
  });

  test('is a link to itself; Back restores its focus, a new rendering of the list does not', async () => {
    const { person } = await at('place=access');
    const [first, second] = [MANY[0] ?? '', MANY[1] ?? ''];
    await person.click(await screen.findByRole('link', { name: first }));
    await arrived(first);
    await person.click(screen.getByRole('link', { name: second }));
    await arrived(second);
    expect(named()).toHaveLength(1);
    history.back();
    await arrived(first);
    await person.click(screen.getByRole('button', { name: `Remove ${second}` }));
    expect(document.activeElement).not.toBe(screen.getByRole('link', { name: first }));
    await person.click(within(screen.getByRole('navigation', { name: 'Views' })).getByRole('link', { name: 'History' }));
    await person.click(await screen.findByRole('button', { name: 'Leave without saving' }));
    await waitFor(() => expect(location.hash).not.toContain('who='));
  });
});

describe('a finding', () => {
  test('has an address, which opens and focuses it', async () => {
    renderPage(createWorld(), 'en-US', 'light', '#/page-properties?place=health&finding=project-type');
    await waitFor(() => expect(named()).toContain(document.activeElement), { timeout: 5000 });
    const finding = document.activeElement?.closest('li');
    expect(finding?.closest('details')?.open ?? true).toBe(true);
    expect(await violations()).toEqual([]);
  });

  test('links to the step that fixes it, alone and with others, and writes nothing', async () => {
    const world = createWorld();
    const { public: _paths, access: _access, ...site } = siteOf('summit', '/content/summit');
    world.versions.push({ ...site, name: 'summit' });
    const { person } = renderPage(world, 'en-US', 'light', '#/page-properties?place=health');
    const links = () => screen.getAllByRole('link', { name: /^Fix: / });
    await person.click(await screen.findByRole('link', { name: 'Fix: Mapping of the site root' }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Map the paths'));
    expect(document.activeElement?.closest('details')?.open).toBe(true);
    expect(location.hash).toBe('#/page-properties?place=setup&step=map-paths');
    screen.getByRole('heading', { name: 'Planned steps' });
    expect(await violations()).toEqual([]);
    history.back();
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Planned steps' })).toBeNull());
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('link', { name: `Fix all ${links().length}` }));
    await screen.findByRole('heading', { name: 'Planned steps' });
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H3'));
    expect(world.versions).toHaveLength(1);
  });

  test('is linked from the details of a site', async () => {
    const { person } = await at('place=sites');
    await person.click(await screen.findByRole('row', { name: new RegExp(`^${SITE} `) }));
    const details = within(await screen.findByRole('region', { name: `Site “${SITE}”` }));
    const link = within(await details.findByRole('list', { name: 'Errors (1)' })).getByRole('link', { name: 'Project type' });
    expect(link.getAttribute('href')).toContain(`place=health&site=${SITE}&finding=project-type`);
    expect(details.getByRole('link', { name: 'Fix: Project type' }).getAttribute('href')).toContain(
      `place=setup&site=${SITE}&step=project-type`,
    );
    expect(named()).toEqual([]);
  });
});

test('an expiry and the problem of a certificate are shown in German', async () => {
  const about = { kind: 'certificate-ends', org: 'wknd', isOpen: true, time: new Date().toISOString() } as const;
  const [end, name] = ['certificate:author.example.com', 'certificate-name:www.example.com'];
  await backend.store.write(async (writes) => {
    await writes.setCause({ ...about, cause: end, about: 'author.example.com', detail: '2026-01-01T00:00:00.000Z' });
    await writes.setCause({ ...about, cause: name, about: 'www.example.com', site: SITE });
  });
  await showSites(backend, { hash: '#/organization?place=notifications', locale: 'de-DE' });
  const list = within(await screen.findByRole('list', { name: 'Mitteilungen' }));
  list.getByText('Das Zertifikat gilt nicht für diesen Hostnamen.');
  list.getByText(/^Abgelaufen:/);
  expect(list.getAllByText(/^Läuft ab:/)).toHaveLength(2);
  list.getByText('Geheimnis läuft bald ab: vendor');
  list.getByRole('link', { name: `Zustand der Site öffnen: ${SITE} www.example.com` });
  expect(await violations()).toEqual([]);
});
