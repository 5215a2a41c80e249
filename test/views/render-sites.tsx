import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SitesHome } from '@repoless/extension/features/sites/SitesHome.tsx';
import { Surface } from '@repoless/extension/app/Surface.tsx';
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
  const view = render(
    <Surface locale={locale} theme="light" standAlone={false}>
      <SitesHome
        ports={world.ports}
        portsOf={() => world.ports}
        path="/content/wknd/ch/de"
        organization={organization}
        service={SERVICE}
        mode={mode}
        tab={tab === 'organization' ? 'sites' : tab}
        onSignedOut={() => calls.signedOut++}
      />
    </Surface>,
  );
  return { person: userEvent.setup(), calls, close: view.unmount };
}

/** Selects all locales of the country `ch` and goes to the review. */
export async function reviewLocales(person: ReturnType<typeof userEvent.setup>): Promise<void> {
  await person.click(await screen.findByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('button', { name: 'Locales' }));
  await screen.findByText(/^\d+ selected\.$/);
  await person.click(screen.getByRole('button', { name: /^Review \d+ sites?$/ }));
}
