import type { AuthoringPort } from '@repoless/core/plan/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { RemoveSite } from '@repoless/extension/features/organization/OpenedSite.tsx';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { violations } from './render-page.tsx';
import { addPage, createSitesWorld, type SitesWorld } from './sites-world.ts';
import { AUTHOR, INFO } from './world.ts';

const SITE: OrganizationSite = {
  name: 'lantern',
  repository: 'github:wknd/wknd',
  author: AUTHOR,
  contentRoot: '/content/lantern',
  kind: 'single',
  carries: false,
  complete: true,
};
const ELSEWHERE = 'https://author-p100-e300.example.com';
const STILL = /^\/content\/lantern still has the project type repoless\./;

test('The name that confirms the removal of a site is typed on while its page is read again', async () => {
  const world = withPage({ repo: 'lantern', projectType: '4' });
  const { person, again } = show(world, SITE);
  await screen.findByText(STILL);
  const field = screen.getByRole('textbox');
  await person.type(field, 'lan');
  let reads = 0;
  again({ ...world.ports.authoring, content: (...asked) => (reads++, world.ports.authoring.content(...asked)) });
  world.configurations.set('/conf/lantern', { owner: 'wknd', repo: 'lantern', projectType: '1' });
  await waitFor(() => expect(screen.queryByText(STILL)).toBeNull());
  expect(reads).toBeGreaterThan(0);
  expect(document.activeElement).toBe(field);
  await person.keyboard('tern');
  expect(field).toHaveProperty('value', 'lantern');
});

describe('The removal of a site says of its page', () => {
  test('that it is in this environment and still says repoless, and what to do before', async () => {
    const world = withPage({ repo: 'lantern', projectType: '4' });
    show(world, SITE);
    await screen.findByText('Its page is /content/lantern in this authoring environment.');
    screen.getByText(STILL);
    screen.getByText(/^Before you remove the site, open “Repoless sites” on that page and choose “Undo setup…”/);
    expect(document.body.textContent).not.toContain('another authoring environment');
    expect(await violations()).toEqual([]);
  });

  test('that it is in another environment, by its address', async () => {
    show(withPage({ repo: 'lantern', projectType: '4' }), { ...SITE, author: ELSEWHERE });
    await screen.findByText(`Its page is /content/lantern in another authoring environment, ${ELSEWHERE}.`);
    screen.getByText(STILL);
  });

  test.each([
    ['says another project type', { repo: 'lantern', projectType: '1' }],
    ['names another site', { repo: 'harbour', projectType: '4' }],
  ])('nothing of repoless where it %s', async (_what, edge) => {
    show(withPage(edge), SITE);
    await screen.findByText('The settings of /content/lantern, which do not name this site as repoless.');
    expect(screen.queryByText(STILL)).toBeNull();
  });

  test('that it inherits again, where the site is a locale', async () => {
    const world = withPage({ repo: 'lantern', projectType: '4' });
    const { person, removed } = show(world, { ...SITE, kind: 'locale', base: 'wknd' });
    await screen.findByText(/^\/content\/lantern inherits its cloud configuration again/);
    expect(screen.queryByText(STILL)).toBeNull();
    await person.type(screen.getByRole('textbox'), 'lantern');
    await person.click(screen.getByRole('button', { name: 'Remove the site' }));
    expect(removed).toEqual([{ page: '/content/lantern', cloudConfiguration: '/conf/lantern' }]);
  });

  test('that it could not be read, and is left as it is', async () => {
    const world = withPage({ repo: 'lantern', projectType: '4' });
    const failure: Failure = { kind: 'refused', status: 503 };
    world.refuse = (path) => (path === '/content/lantern' ? failure : undefined);
    show(world, SITE);
    await screen.findByText('Couldn’t read /content/lantern. It is not changed, and may still be repoless.');
    expect(await violations()).toEqual([]);
  });

  test('that it is gone', async () => {
    show(createSitesWorld(), SITE);
    await screen.findByText('/content/lantern no longer exists. There is nothing to change in the authoring system.');
  });

  test('the same in German', async () => {
    show(withPage({ repo: 'lantern', projectType: '4' }), SITE, 'de-CH');
    const note = await screen.findByRole('note');
    within(note).getByText(/^\/content\/lantern hat weiterhin den Projekttyp repoless\./);
    screen.getByText('Ihre Seite ist /content/lantern in dieser Autorenumgebung.');
  });
});

function withPage(edge: { readonly repo: string; readonly projectType: string }): SitesWorld {
  const world = createSitesWorld();
  addPage(world, '/content/lantern', { ownConfiguration: '/conf/lantern' });
  world.configurations.set('/conf/lantern', { owner: 'wknd', ...edge });
  return world;
}

function show(world: SitesWorld, site: OrganizationSite, locale = 'en-US') {
  const removed: unknown[] = [];
  const draw = (authoring: AuthoringPort) => (
    <Surface locale={locale} theme="light" standAlone={false}>
      <RemoveSite
        site={site}
        authoring={authoring}
        info={INFO}
        here={AUTHOR}
        onRemove={(page) => removed.push(page)}
        onCancel={() => undefined}
      />
    </Surface>
  );
  const { rerender } = render(draw(world.ports.authoring));
  return { person: userEvent.setup(), removed, again: (authoring: AuthoringPort) => rerender(draw(authoring)) };
}
