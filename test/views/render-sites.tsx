import { screen } from '@testing-library/react';
import { SitesHome } from '@repoless/extension/features/sites/SitesHome.tsx';
import { type Person, renderInSurface } from './in-surface.tsx';
import { addCountry, createSitesWorld, type SitesWorld } from './sites-world.ts';
import { SERVICE } from './world.ts';

type Props = Parameters<typeof SitesHome>[0];

/** Renders the places of an organization, by default all sites. */
export function showSitesHome(props: Pick<Props, 'ports'> & Partial<Props>, locale?: string, hash = '#/organization') {
  // The list stores its filter in the address.
  history.replaceState(null, '', hash);
  const view = (
    <SitesHome
      portsOf={() => props.ports}
      path="/content/wknd/ch/de"
      service={SERVICE}
      mode="framed"
      tab="sites"
      onSignedOut={() => undefined}
      {...props}
    />
  );
  return renderInSurface(view, locale === undefined ? {} : { locale });
}

/** Renders the content tree, or all sites, of a world in memory. */
export function show(
  { ports }: SitesWorld,
  tab: 'tree' | 'organization' = 'tree',
  mode: 'framed' | 'stand-alone' = 'framed',
  locale = 'en-US',
  organization?: string,
) {
  const calls = { signedOut: 0 };
  const onSignedOut = () => calls.signedOut++;
  return { ...showSitesHome({ ports, mode, organization, onSignedOut, tab: tab === 'organization' ? 'sites' : tab }, locale), calls };
}

/** Renders the content tree of a world whose country `ch` has these locales, none of which has a site. */
export function showCountry(...languages: readonly string[]) {
  const world = createSitesWorld();
  addCountry(world, 'ch', languages);
  return { world, ...show(world) };
}

/** The same, at the review of all its locales. */
export async function reviewCountry(...languages: readonly string[]) {
  const shown = showCountry(...languages);
  await reviewLocales(shown.person);
  return shown;
}

/** Selects all locales of the country `ch` and goes to the review. */
export async function reviewLocales(person: Person): Promise<void> {
  await person.click(await screen.findByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('row', { name: /^ch ch Country/ }));
  await person.click(screen.getByRole('button', { name: 'Locales' }));
  await screen.findByText(/^\d+ selected\.$/);
  await person.click(screen.getByRole('button', { name: /^Review \d+ sites?$/ }));
}
