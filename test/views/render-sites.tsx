import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SitesHome } from '@repoless/extension/features/sites/SitesHome.tsx';
import { type Person, renderInSurface } from './in-surface.tsx';
import type { SitesWorld } from './sites-world.ts';
import { SERVICE } from './world.ts';

/** Renders the content tree, or all sites, of a world in memory. */
export function show(
  world: SitesWorld,
  tab: 'tree' | 'organization' = 'tree',
  mode: 'framed' | 'stand-alone' = 'framed',
  locale = 'en-US',
  organization?: string,
) {
  // The list stores its filter in the address.
  history.replaceState(null, '', '#/organization');
  const calls = { signedOut: 0 };
  const view = renderInSurface(
    <SitesHome
      ports={world.ports}
      portsOf={() => world.ports}
      path="/content/wknd/ch/de"
      organization={organization}
      service={SERVICE}
      mode={mode}
      tab={tab === 'organization' ? 'sites' : tab}
      onSignedOut={() => calls.signedOut++}
    />,
    { locale },
  );
  return { person: userEvent.setup(), calls, close: view.close };
}

/** Selects all locales of the country `ch` and goes to the review. */
export async function reviewLocales(person: Person): Promise<void> {
  await person.click(await screen.findByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('button', { name: 'Locales' }));
  await screen.findByText(/^\d+ selected\.$/);
  await person.click(screen.getByRole('button', { name: /^Review \d+ sites?$/ }));
}
