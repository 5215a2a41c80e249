import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, test } from 'vitest';
import { RolloutList } from '@repoless/contract/rollout.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { clientOf } from './access-world.tsx';
import { type Loss, lossyNetwork } from './lossy-network.ts';
import { violations } from './render-page.tsx';
import { chooseSites, register, showSites } from './rollouts-world.tsx';

const WITHIN = { timeout: 20_000 };
const START = /\/rollouts\.json$/;

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  for (const site of ['ferry-ch', 'ferry-de']) await register(backend, site, `/content/${site.replace('-', '/')}`);
});

const rollouts = async () =>
  RolloutList.parse((await backend.call('GET', '/config/wknd/rollouts.json', { as: OPERATOR })).json()).rollouts.map(({ title }) => title);

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

describe('a rollout whose answer is lost', () => {
  test.each<readonly [Loss, string]>([
    ['broken', 'One'],
    [502, 'Two'],
  ])('is found in the list, and shown as any that was started: %s', async (how, title) => {
    const network = await lossyNetwork(backend, OPERATOR);
    const { start } = await prepare(title, network.client);
    network.lose(how, 'POST', START);
    await start();
    await screen.findByRole('heading', { name: title });
    await screen.findByText('Done', {}, WITHIN);
    expect(screen.queryByText(/was not started|may have been started/)).toBeNull();
    expect((await rollouts()).filter((one) => one === title)).toEqual([title]);
  });

  test('may have been started where the list cannot be read; the way there is shown', async () => {
    let isAway = false;
    const client = clientOf(backend.address, await backend.token(OPERATOR), undefined, async (method, path, isDryRun) => {
      if (method === 'POST' && START.test(path) && !isDryRun) isAway = true;
      if (isAway) throw new TypeError('The connection broke.');
      return undefined;
    });
    const { person, start } = await prepare('Three', client);
    await start();
    const alert = await screen.findByRole('alert');
    within(alert).getByText('The rollout may have been started');
    within(alert).getByText('Check the list of rollouts first. If it is not there, preview and start it again.');
    expect(await violations()).toEqual([]);
    isAway = false;
    await person.click(within(alert).getByRole('button', { name: 'All rollouts' }));
    const list = await screen.findByRole('list', { name: 'Rollouts' });
    within(list).getByText('Three');
  });
});
