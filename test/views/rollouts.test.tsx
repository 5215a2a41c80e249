import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { Rollout } from '@repoless/contract/rollout.ts';
import { createCatalogues } from '@repoless/core/messages/catalogue.ts';
import { withLabels } from '@repoless/extension/features/rollouts/field-labels.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { violations } from './render-page.tsx';
import { chooseSites, register, showSites, stored } from './rollouts-world.tsx';

const FLEET = ['fleet-ch-de', 'fleet-ch-fr', 'fleet-de-de', 'fleet-fr-fr'] as const;
/** Its content root names no country, so a variable of the edits has no value there. */
const PLAIN = 'fleet-plain';
const WITHIN = { timeout: 20_000 };

const backend = startBeforeAll(() => startTestBackend());
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  for (const site of FLEET) await register(backend, site, `/content/${site.replaceAll('-', '/')}`);
  await register(backend, PLAIN, '/content/fleet/plain');
});

const headersOf = async (site: string) => (await stored(backend, site)).headers?.['/**'] ?? [];
const press = (name: string | RegExp) => screen.findByRole('button', { name });

test('an edit of several sites is previewed, applied except to the refused site, and undone', async () => {
  const { person } = await showSites(backend);
  await chooseSites(person, 'fleet', 5);
  await person.click(await press(/^Edit \d+ together…$/));
  const heading = await screen.findByRole('heading', { name: 'Edit 5 selected sites' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(await violations()).toEqual([]);
  await person.click(await press('Add another edit'));
  await person.click(await press('Remove: Edit 2: Set a header'));
  expect(document.activeElement).toBe(await press('Add another edit'));

  // Nothing is sent until the fields are valid.
  await person.click(await press('Preview on every site'));
  await screen.findByText('Correct the marked fields first.');
  expect(screen.getAllByText('Enter a value.')).toHaveLength(3);
  await person.type(screen.getByRole('textbox', { name: 'Name of the header' }), 'not a name');
  await screen.findByText(/^A header name holds/);
  await person.clear(screen.getByRole('textbox', { name: 'Name of the header' }));
  await person.type(screen.getByRole('textbox', { name: 'Name of the header' }), 'x-country');
  await person.type(screen.getByRole('textbox', { name: 'Value' }), '{{country}');
  await person.type(screen.getByRole('textbox', { name: /^Title/ }), 'Tell the country');
  await person.click(screen.getByRole('radio', { name: 'All sites at once' }));
  expect(screen.getByText('You can start after the preview.')).toBeTruthy();

  await person.click(await press('Preview on every site'));
  const shown = await screen.findByRole('heading', { name: 'What would change' }, WITHIN);
  await waitFor(() => expect(document.activeElement).toBe(shown));
  screen.getByText('4 sites change');
  screen.getByText('1 site is refused');
  expect(within(screen.getByRole('list', { name: 'Refused sites' })).getByText(PLAIN)).toBeTruthy();
  expect(screen.getByRole('list', { name: 'Differences of “fleet-ch-de”' }).textContent).toContain('x-country: ch');
  expect(await violations()).toEqual([]);
  expect(await headersOf('fleet-ch-de')).toEqual([]);

  // The progress of another site, and a title that was not previewed.
  await person.click(screen.getByText('Which sites (4)', { exact: false, selector: 'summary' }));
  await person.click(await press('Show the differences of “fleet-fr-fr”'));
  expect(screen.getByRole('list', { name: 'Differences of “fleet-fr-fr”' }).textContent).toContain('x-country: fr');
  await person.type(screen.getByRole('textbox', { name: /^Title/ }), '!');
  await screen.findByText(/^You changed something since the preview/);
  expect((await press('Start')).hasAttribute('disabled')).toBe(true);
  await person.click(await press('Preview again'));
  await waitFor(async () => expect((await press('Start on 4 sites')).hasAttribute('disabled')).toBe(false), WITHIN);
  await person.click(await press('Start on 4 sites'));

  await screen.findByRole('heading', { name: 'Tell the country!' });
  await screen.findByText('Done, 1 site refused', {}, WITHIN);
  expect(location.hash).toContain('rollout=');
  await screen.findByText('“Tell the country!” is done: 4 sites changed, 1 refused.');
  expect(screen.getByRole('progressbar', { name: 'Progress' }).getAttribute('aria-valuetext')).toBe('5 of 5 sites');
  const sites = await screen.findByRole('list', { name: 'Sites of the rollout' });
  await waitFor(() => expect(within(sites).getAllByRole('listitem')).toHaveLength(5));
  await person.click(await press('1 Refused'));
  await waitFor(() => {
    const [line, ...others] = within(screen.getByRole('list', { name: 'Sites of the rollout' })).getAllByRole('listitem');
    expect(others).toEqual([]);
    expect(line?.textContent).toMatch(/^fleet-plain.*\{country\}/);
  });
  expect(await violations()).toEqual([]);
  expect(await headersOf('fleet-ch-de')).toEqual([{ key: 'x-country', value: 'ch' }]);
  expect(await headersOf(PLAIN)).toEqual([]);

  await person.click(await press('Review refused sites again…'));
  await screen.findByRole('heading', { name: 'What would change' }, WITHIN);
  screen.getByText('1 site is refused');
  expect(screen.queryByRole('button', { name: /^Start/ })).toBeNull();
  expect(await violations()).toEqual([]);

  await person.click(await press('Undo on all sites…'));
  await screen.findByRole('heading', { name: 'Undo “Tell the country!”?' });
  screen.getByText(/^4 sites will be restored, one after the other\./);
  expect(await violations()).toEqual([]);
  await person.click(await press('Keep the change'));
  await waitFor(async () => expect(document.activeElement).toBe(await press('Undo on all sites…')));
  await person.keyboard('{Enter}');
  await person.click(await press('Undo on 4 sites'));
  await screen.findByText('“Tell the country!” is undone on 4 sites.', {}, WITHIN);
  expect(await headersOf('fleet-ch-de')).toEqual([]);

  await person.click(await press('All rollouts'));
  const list = await screen.findByRole('list', { name: 'Rollouts' });
  const opener = within(list).getByRole('button', { name: 'Tell the country!' });
  await waitFor(() => expect(document.activeElement).toBe(opener));
  within(list).getByText('Undone');
  expect(await violations()).toEqual([]);
  expect(location.hash).not.toContain('rollout=');
});

test('messages of the service about a site and a stop are shown in German, or quoted if stored in English only', async () => {
  const edits = [{ op: 'set', path: '/robots/txt', value: '{country}' }];
  const body = { title: 'Robots', edits, sites: [PLAIN] };
  const { id } = Rollout.parse((await backend.call('POST', '/config/wknd/rollouts.json', { as: OPERATOR, body })).json());
  await expect.poll(async () => (await backend.store.reads.rollout('wknd', id))?.state, WITHIN).toBe('done');
  const { person, close } = await showSites(backend, { hash: `#/organization?rollout=${id}`, locale: 'de-DE' });
  const unfit = 'Der Dienst nimmt einen Wert nicht an: Was geändert wird: Die Variable {country} hat für diese Site keinen Wert.';
  await screen.findByText(unfit, {}, WITHIN);
  await person.click(await press(/^Abgelehnte Sites noch einmal ansehen/));
  await screen.findByText('Sie bleiben, wie sie sind. Die anderen ändern sich trotzdem.', {}, WITHIN);
  const [refused] = within(screen.getByRole('list', { name: 'Abgelehnte Sites' })).getAllByRole('listitem');
  expect(refused?.textContent).toBe(`${PLAIN} ${unfit}`);
  close();

  const stops = [
    [{ reason: 'blocked', detail: 'No tea today.' }, 'Der Dienst meldet: „No tea today.“'],
    [
      { reason: 'blocked', by: 'ada@example.com', detail: 'It waits for ada@example.com to sign in.' },
      'Er wartet, bis ada@example.com sich anmeldet oder jemand ihn fortsetzt.',
    ],
    [
      {
        reason: 'blocked',
        site: PLAIN,
        detail: `${PLAIN}: It is gone.`,
        problem: { code: 'SITE_NOT_FOUND', detail: 'It is gone.', data: { org: 'wknd', site: PLAIN } },
      },
      `${PLAIN}: Die Site „wknd/${PLAIN}“ gibt es nicht.`,
    ],
  ] as const;
  for (const [stopped, sentence] of stops) {
    const { revision: expected, ...rollout } = (await backend.store.reads.rollout('wknd', id)) ?? expect.fail('no rollout');
    await backend.store.write((writes) =>
      writes.changeRollout({ kind: 'put', rollout: { ...rollout, state: 'stopped', stopped }, expected }),
    );
    const shown = await showSites(backend, { hash: `#/organization?rollout=${id}`, locale: 'de-DE' });
    await screen.findByText(sentence, {}, WITHIN);
    shown.close();
  }
});

test('a refused rollout names its fields by their labels', async () => {
  const catalogue = createCatalogues()('en');
  const { rollouts } = await catalogue.read('rollouts');
  const errors = ['/title', '/waves/0', '/edits', '/edits/1/value/txt', '/config/headers/~1**', '/robots'].map((pointer) => ({
    pointer,
    detail: 'It is wrong.',
  }));
  const { errors: labelled } = withLabels(rollouts, { errors }, ['Edit 1: Set a header', 'Edit 2: Other value']);
  expect(labelled.map(({ pointer }) => pointer)).toEqual([
    'Title',
    'Waves',
    'What it changes',
    'Edit 2: Other value',
    'Configuration of the profile (JSON) /headers/~1**',
    '/robots',
  ]);
});
