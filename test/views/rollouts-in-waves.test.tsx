import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '@repoless/service/db/open-store.ts';
import { OPERATOR, startTestBackend } from '../support/backend.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { violations } from './render-page.tsx';
import { chooseSites, register, showSites, stored } from './rollouts-world.tsx';

const WITHIN = { timeout: 20_000 };
const PROFILE = '/config/wknd/profiles/shared.json';

/** The service's storage returns the next work once this is resolved. */
let gate: Promise<void> = Promise.resolve();
const backend = startBeforeAll(() =>
  startTestBackend({
    open: async (dataDir) => {
      const store = await openStore({ dataDir });
      const { rollouts } = store;
      return { ...store, rollouts: { ...rollouts, next: async (...parameters) => gate.then(() => rollouts.next(...parameters)) } };
    },
  }),
);
beforeAll(async () => {
  await register(backend, 'wknd', '/content/wknd');
  for (const site of ['shop-a', 'shop-b', 'shop-c']) await register(backend, site, `/content/${site}`);
  // The first by name is refused: its content root names no language.
  for (const site of ['club-a', 'club-b']) await register(backend, site, `/content/${site}${site === 'club-a' ? '' : '/de'}`);
});
beforeEach(() => {
  gate = Promise.resolve();
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });

async function editHeader(person: Awaited<ReturnType<typeof showSites>>['person'], value: string, title: string): Promise<void> {
  await person.click(await button(/^Edit \d+ together…$/));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name of the header' }), { target: { value: 'x-shop' } });
  fireEvent.change(screen.getByRole('textbox', { name: 'Value' }), { target: { value } });
  fireEvent.change(screen.getByRole('textbox', { name: /^Title/ }), { target: { value: title } });
  await person.click(await button('Preview on every site'));
  await screen.findByRole('heading', { name: 'What would change' }, WITHIN);
  await person.click(await button(/^Start on/));
  await screen.findByRole('heading', { name: title });
}

describe('a rollout in waves', () => {
  test('reports that there is none yet', async () => {
    await showSites(backend);
    fireEvent.click(await screen.findByRole('link', { name: 'Rollouts' }));
    await screen.findByText(/^Nothing has been rolled out yet/);
    expect(await violations()).toEqual([]);
  });

  test('can be stopped, is found again by its address, and continues to the end', async () => {
    const { person, close } = await showSites(backend);
    await chooseSites(person, 'shop', 3);
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    await editHeader(person, '{site}', 'Name the shop');
    screen.getByText('In progress');
    screen.getByText('Wave 1 of 3');
    expect(await violations()).toEqual([]);
    await person.click(await button('Stop'));
    await screen.findByText(`${OPERATOR} stopped it.`);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Name the shop'));
    expect(await violations()).toEqual([]);
    const address = location.hash;
    close();
    open();

    const again = await showSites(backend, { hash: address });
    await screen.findByRole('heading', { name: 'Name the shop' });
    expect((await stored(backend, 'shop-a')).headers).toBeUndefined();
    await again.person.click(await button('Resume'));
    await screen.findByText('“Name the shop” is done: 3 sites changed.', {}, WITHIN);
    expect((await stored(backend, 'shop-c')).headers).toEqual({ '/**': [{ key: 'x-shop', value: 'shop-c' }] });
    expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  });

  test('stops if the first site is refused, and shows why; the refused site can be fixed and reviewed again', async () => {
    const { person } = await showSites(backend);
    await chooseSites(person, 'club', 2);
    await editHeader(person, '{language}', 'Name the language');
    await screen.findByText('Sites were refused, so it stopped before the next wave.', {}, WITHIN);
    await person.click(await button('1 Refused'));
    await waitFor(() => {
      const [line] = within(screen.getByRole('list', { name: 'Sites of the rollout' })).getAllByRole('listitem');
      expect(line?.textContent).toMatch(/^club-a.*\{language\}/);
    });
    expect(await violations()).toEqual([]);
    await person.click(await button('Resume'));
    await screen.findByText('Done, 1 site refused', {}, WITHIN);

    await register(backend, 'club-a', '/content/club-a/fr');
    await person.click(await button('Review refused sites again…'));
    await screen.findByRole('heading', { name: 'What would change' }, WITHIN);
    expect((await stored(backend, 'club-a')).headers).toBeUndefined();
    await person.click(await button('Start on 1 site'));
    await screen.findByText('“Name the language” is done: 1 site changed.', {}, WITHIN);
    expect((await stored(backend, 'club-a')).headers).toEqual({ '/**': [{ key: 'x-shop', value: 'fr' }] });
  });

  test('changes a profile for the sites that extend it, in German, and can be undone', async () => {
    const body = { version: 1, headers: { '/**': [{ key: 'x-from', value: 'before' }] } };
    expect((await backend.call('PUT', PROFILE, { as: OPERATOR, body })).status).toBe(201);
    for (const site of ['heir-a', 'heir-b']) await register(backend, site, `/content/${site}`, { extends: { profile: 'shared' } });
    const own = { '/**': [{ key: 'x-from', value: 'own' }] };
    await register(backend, 'heir-own', '/content/heir-own', { extends: { profile: 'shared' }, headers: own });
    const header = async (): Promise<unknown> => {
      const answer = await backend.call('GET', PROFILE, { as: OPERATOR });
      return Object(answer.json()).headers;
    };

    const { person, close } = await showSites(backend, { locale: 'de-DE' });
    await person.click(await button('Das Profil „shared“ ausrollen'));
    const text = await screen.findByRole('textbox', { name: 'Konfiguration des Profils (JSON)' });
    if (!(text instanceof HTMLTextAreaElement)) return expect.unreachable();
    const before = text.value;
    fireEvent.change(text, { target: { value: before.replace('"before"', '"after",') } });
    await screen.findByText(/^Das JSON ist ab Zeile \d+ ungültig\.$/);
    expect(await violations()).toEqual([]);
    fireEvent.change(text, { target: { value: before.replace('x-from', 'x from') } });
    fireEvent.change(screen.getByRole('textbox', { name: /^Titel/ }), { target: { value: 'Neuer Wert' } });
    await person.click(await button('Vorschau auf jeder Site'));
    await screen.findByText(/^\/headers\/~1\*\*\/0\/key: /);
    fireEvent.change(text, { target: { value: before.replace('"before"', '"after"') } });
    await person.click(await button('Vorschau auf jeder Site'));
    await screen.findByText('3 Sites erweitern es.', {}, WITHIN);
    screen.getByText('2 Sites ändern sich');
    screen.getByText('1 Site bleibt, wie sie ist');
    expect(await violations()).toEqual([]);
    await person.click(await button('Auf 2 Sites starten'));
    await screen.findByText(/^„Neuer Wert“ ist fertig: \d Sites geändert\.$/, {}, WITHIN);
    expect(await header()).toEqual({ '/**': [{ key: 'x-from', value: 'after' }] });
    expect(await violations()).toEqual([]);

    await person.click(await button('Auf allen Sites rückgängig machen\u00a0…'));
    await screen.findByText('Auch das Profil „shared“ wird wiederhergestellt.');
    await person.click(await button(/^Auf \d Sites rückgängig machen$/));
    await screen.findByText(/^„Neuer Wert“ ist auf \d Sites rückgängig gemacht/, {}, WITHIN);
    expect(await header()).toEqual({ '/**': [{ key: 'x-from', value: 'before' }] });
    close();

    // Someone else changes the profile between the preview and the start.
    const late = await showSites(backend);
    await late.person.click(await button('Roll out the profile “shared”'));
    const field = await screen.findByRole('textbox', { name: 'Configuration of the profile (JSON)' });
    fireEvent.change(field, { target: { value: before.replace('"before"', '"mine"') } });
    fireEvent.change(screen.getByRole('textbox', { name: /^Title/ }), { target: { value: 'Mine' } });
    await late.person.click(await button('Preview on every site'));
    await screen.findByText('3 sites extend it.', {}, WITHIN);
    const theirs = { version: 1, headers: { '/**': [{ key: 'x-from', value: 'theirs' }] } };
    expect((await backend.call('PUT', PROFILE, { as: OPERATOR, body: theirs })).status).toBe(200);
    await late.person.click(await button('Start on 2 sites'));
    await screen.findByText(/^The text was refreshed and now includes the other change/);
    expect(await header()).toEqual(theirs.headers);
  });
});
