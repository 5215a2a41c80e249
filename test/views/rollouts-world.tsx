import { screen } from '@testing-library/react';
import { Site } from '@repoless/contract/site.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { LeaveGuard } from '@repoless/extension/ui/LeaveGuard.tsx';
import { SitesHome } from '@repoless/extension/features/sites/SitesHome.tsx';
import { OPERATOR, type TestBackend } from '../support/backend.ts';
import { publicPaths, siteInput } from '../support/builders.ts';
import { clientOf } from './access-world.tsx';
import { type Person, renderInSurface } from './in-surface.tsx';
import { createSitesWorld } from './sites-world.ts';

const NO_GATE: Promise<Known<unknown> | undefined> = Promise.resolve(undefined);

interface Showing {
  readonly hash?: string;
  readonly locale?: string;
  readonly gate?: Promise<Known<unknown> | undefined>;
  /** Replaces the service's client over the real network. */
  readonly through?: Client;
}

/** Renders all sites, or the place of the address, with the real service and an authoring system in memory. Each write waits for the gate,
 * which may answer it. */
export async function showSites(
  backend: TestBackend,
  { hash = '#/organization', locale = 'en-US', gate = NO_GATE, through }: Showing = {},
) {
  // The list stores its filter in the address.
  history.replaceState(null, '', hash);
  const token = await backend.token(OPERATOR);
  const client = through ?? clientOf(backend.address, token);
  const { ports } = createSitesWorld();
  const port = createServicePort(client);
  const service: typeof port = {
    ...port,
    send: async (call, ...more) => (await gate) ?? port.send(call, ...more),
  };
  // As in the extension, they stay the same across renders.
  const all = { ...ports, service };
  const portsOf = () => all;
  const clientAt = (address: string) => clientOf(address, token);
  return renderInSurface(
    <LeaveGuard requested="organization" id="organization">
      {() => (
        <SitesHome
          ports={all}
          portsOf={portsOf}
          client={client}
          clientAt={clientAt}
          path="/content/wknd/ch/de"
          service={backend.address}
          mode="framed"
          tab="sites"
          onSignedOut={() => undefined}
        />
      )}
    </LeaveGuard>,
    { locale },
  );
}

/** Selects every site whose name matches the search. */
export async function chooseSites(person: Person, search: string, count: number): Promise<void> {
  const grid = await screen.findByRole('grid', { name: 'Sites of the organization' });
  await person.type(screen.getByRole('searchbox'), search);
  await screen.findByText(new RegExp(`^${count} of \\d+ sites$`));
  grid.focus();
  await person.keyboard('{Control>}a{/Control}');
  await screen.findByText(`${count} sites selected`);
}

/** Registers a site with the content root `root` and further configuration. */
export async function register(backend: TestBackend, site: string, root: string, more: Parameters<typeof siteInput>[2] = {}) {
  const body = siteInput(site, 'wknd', { public: publicPaths(root), ...more });
  const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
  if (status !== 200 && status !== 201) throw new Error(`${site}: ${status} ${text}`);
}

/** The stored configuration of a site. */
export async function stored(backend: TestBackend, site: string): Promise<Site> {
  return Site.parse((await backend.call('GET', `/config/wknd/sites/${site}.json`, { as: OPERATOR })).json());
}
