import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, beforeAll } from 'vitest';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { ADA, BEN, showAccess, clientOf } from './access-world.tsx';
import { showConfiguration, startConfiguredSite } from './configuration-world.tsx';
import { addMember, type } from './enter-changes.ts';
import { type Person, press } from './in-surface.tsx';
import { LOSSES, lossyNetwork, type Loss } from './lossy-network.ts';
import { RolloutList } from '@repoless/contract/rollout.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { violations } from './render-page.tsx';
import { chooseSites, register, showSites } from './rollouts-world.tsx';

const ACCESS = '/config/wknd/sites/first/access.json';
const subject = { kind: 'site', organization: 'wknd', name: 'first' } as const;
const people = { kind: 'organization', organization: 'wknd' } as const;
const first = startBeforeAll(startConfiguredSite);
beforeEach(() => first.put({ robots: { txt: 'zero' } }));

const admins = async () => (await first.backend.call('GET', ACCESS, { as: OPERATOR })).json();

/** The configuration over a network that can lose requests. */
async function configuration() {
  const { service, ...network } = await lossyNetwork(first.backend, ADA);
  return { ...network, ...showConfiguration({ service, site: 'first' }) };
}

/** Enters `mine` as robots.txt, up to the save. */
async function reviewMine(person: Person): Promise<void> {
  await type(person, 'mine');
  await press(person, 'Preview changes');
  await screen.findByRole('button', { name: 'Save' });
}

/** Saves `mine` as robots.txt; both the answer and the following read are lost. */
async function saveUncertainly(): Promise<Person> {
  const { person, lose, cut } = await configuration();
  await reviewMine(person);
  lose('broken', 'POST', /first\.json$/);
  cut('GET', /first\.json$/);
  await press(person, 'Save');
  await screen.findByText('Your changes may have been saved');
  return person;
}

describe('A configuration whose response was lost', () => {
  test.each(LOSSES)('is saved if it is stored as sent, and can be undone: %s', async (loss) => {
    const { person, calls, lose } = await configuration();
    await type(person, 'mine');
    await press(person, 'Preview changes');
    lose(loss, 'POST', /first\.json$/);
    await press(person, 'Save');
    await screen.findByText('Your changes were saved.');
    expect(calls.changed).toBe(1);
    await press(person, 'Undo…', 'Save');
    await waitFor(async () => expect(await first.stored()).toMatchObject({ robots: { txt: 'zero' } }));
  });

  test('is not saved if the request never arrived, and is saved by a second attempt', async () => {
    const { person, cut } = await configuration();
    await reviewMine(person);
    cut('POST', /first\.json$/);
    await press(person, 'Save');
    await screen.findByText('Your changes were not saved');
    await press(person, 'Preview changes', 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ robots: { txt: 'mine' } });
  });

  test('is recognized later if it cannot be read immediately', async () => {
    const person = await saveUncertainly();
    await press(person, 'Preview changes');
    await screen.findByText('Your changes were saved.');
    expect(screen.queryByText(/in the meantime/)).toBeNull();
  });

  test('is distinguished from later input', async () => {
    const person = await saveUncertainly();
    await type(person, 'mine, once more');
    await press(person, 'Preview changes');
    await screen.findByRole('heading', { name: 'Preview of your changes' });
    expect(screen.queryByText(/in the meantime/)).toBeNull();
    await press(person, 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ robots: { txt: 'mine, once more' } });
  });

  test('does not count as stored if someone else was faster', async () => {
    const { person, cut } = await configuration();
    await reviewMine(person);
    await first.put({ robots: { txt: 'zero' }, headers: { '/**': [{ key: 'x-theirs', value: '1' }] } });
    cut('POST', /first\.json$/);
    await press(person, 'Save');
    await screen.findByRole('heading', { name: /changed the site in the meantime$/ });
    await press(person, 'Save');
    await screen.findByText('Your changes were saved.');
    expect(await first.stored()).toMatchObject({ robots: { txt: 'mine' }, headers: { '/**': [{ key: 'x-theirs', value: '1' }] } });
  });
});

test('A configuration is saved even if it cannot be reloaded', async () => {
  const { person, cut } = await configuration();
  await reviewMine(person);
  cut('GET', /first\.json$/);
  await press(person, 'Save');
  await screen.findByText('The configuration service does not respond.');
  await screen.findByText('Your changes were saved.');
  await press(person, 'Try again', 'Undo…', 'Save');
  await waitFor(async () => expect(await first.stored()).toMatchObject({ robots: { txt: 'zero' } }));
});

describe('Access whose response was lost', () => {
  test.each(LOSSES)('of a site is saved if it is stored as sent: %s', async (loss) => {
    const { service, lose } = await lossyNetwork(first.backend, ADA);
    const { person } = showAccess({ service, subject });
    await addMember(person, BEN);
    await press(person, 'Review the change…');
    lose(loss, 'POST', /access\.json$/);
    await press(person, 'Save');
    await screen.findByText('The change was saved.');
    expect(screen.queryByText('The change was not saved')).toBeNull();
    expect(await admins()).toEqual({ admin: { role: { admin: [ADA, BEN] } } });
  });

  test('of an organization is saved, although the service adds an identifier to a new user', async () => {
    const { service, lose } = await lossyNetwork(first.backend, OPERATOR);
    const { person } = showAccess({ service, subject: people });
    await person.click(await screen.findByText('Add a user'));
    await person.type(await screen.findByRole('textbox', { name: 'E-mail address of another user, or groups/name' }), 'Carl@Example.com');
    await person.click(screen.getByRole('checkbox', { name: /^Developer/ }));
    await press(person, 'Add user', 'Review the change…');
    lose('broken', 'POST', /wknd\.json$/);
    await press(person, 'Save');
    await screen.findByText('The change was saved.');
  });
});
describe('a rollout whose response is lost', () => {
  const WITHIN = { timeout: 20_000 };
  const START = /\/rollouts\.json$/;

  const backend = startBeforeAll(() => startTestBackend());
  beforeAll(async () => {
    await register(backend, 'wknd', '/content/wknd');
    for (const site of ['ferry-ch', 'ferry-de']) await register(backend, site, `/content/${site.replace('-', '/')}`);
  });

  const rollouts = async () =>
    RolloutList.parse((await backend.call('GET', '/config/wknd/rollouts.json', { as: OPERATOR })).json()).rollouts.map(
      ({ title }) => title,
    );

  /** Prepares setting a header on two sites, up to the start. */
  async function prepare(title: string, client: Client) {
    const { person, close } = await showSites(backend, { through: client });
    await chooseSites(person, 'ferry', 2);
    await person.click(await screen.findByRole('button', { name: /^Edit \d+ together…$/ }));
    await person.type(await screen.findByRole('textbox', { name: 'Name of the header' }), 'x-ferry');
    await person.type(screen.getByRole('textbox', { name: 'Value' }), title);
    await person.type(screen.getByRole('textbox', { name: /^Title/ }), title);
    await person.click(screen.getByRole('button', { name: 'Preview on every site' }));
    const start = await screen.findByRole('button', { name: 'Start on 2 sites' }, WITHIN);
    await waitFor(() => expect(start.hasAttribute('disabled')).toBe(false), WITHIN);
    return { person, close, start: () => person.click(start) };
  }

  test.each<readonly [Loss, string]>([
    ['broken', 'One'],
    [502, 'Two'],
  ])('is found in the list, and shown like any started rollout: %s', async (how, title) => {
    const network = await lossyNetwork(backend, OPERATOR);
    const { start } = await prepare(title, network.client);
    network.lose(how, 'POST', START);
    await start();
    await screen.findByRole('heading', { name: title });
    await screen.findByText('Done', {}, WITHIN);
    expect(screen.queryByText(/was not started|may have been started/)).toBeNull();
    expect((await rollouts()).filter((one) => one === title)).toEqual([title]);
  });

  test('is possibly started if the list cannot be read, with a link to the list', async () => {
    let isOffline = false;
    const client = clientOf(backend.address, await backend.token(OPERATOR), undefined, async (method, path, isDryRun) => {
      if (method === 'POST' && START.test(path) && !isDryRun) isOffline = true;
      if (isOffline) throw new TypeError('The connection broke.');
      return undefined;
    });
    const { person, start } = await prepare('Three', client);
    await start();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The rollout may have been started');
    within(alert).getByText('Check the list of rollouts first. If it is not there, preview and start it again.');
    expect(await violations()).toEqual([]);
    isOffline = false;
    await person.click(within(alert).getByRole('button', { name: 'All rollouts' }));
    const list = await screen.findByRole('list', { name: 'Rollouts' });
    within(list).getByText('Three');
  });
});
