import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { ConfigurationPanel } from '@repoless/extension/features/configuration/ConfigurationPanel.tsx';
import { OPERATOR, siteBody, startTestBackend } from '../support/backend.ts';
import { ADA, servicePort } from './access-world.tsx';
import { InShell } from './in-shell.tsx';
import { renderInSurface } from './in-surface.tsx';

const SITE = '/config/wknd/sites/first.json';

interface Shown {
  readonly service: ServicePort;
  readonly site: string;
  readonly locale?: string;
}

/** Starts the service with the site `first`, administered by Ada. */
export async function startConfiguredSite() {
  const backend = await startTestBackend();
  return {
    backend,
    async put(more: Readonly<Record<string, unknown>> = {}): Promise<void> {
      const body = siteBody('wknd', 'first', { access: { admin: { role: { admin: [ADA] } } }, ...more });
      const { status } = await backend.call('PUT', `${SITE}?confirm=true&replace=true`, { as: OPERATOR, body });
      expect([200, 201]).toContain(status);
    },
    stop: () => backend.stop(),
    stored: async () => (await backend.call('GET', SITE, { as: OPERATOR })).json(),
    as: async (who: string) => servicePort(backend.address, await backend.token(who)),
  };
}

export function showConfiguration({ service, site, locale = 'en-US' }: Shown) {
  const calls = { changed: 0 };
  history.replaceState(null, '', '#/page-properties');
  const { person } = renderInSurface(
    <InShell>
      {(onUnsaved) => (
        <ConfigurationPanel service={service} organization="wknd" site={site} onUnsaved={onUnsaved} onChanged={() => calls.changed++} />
      )}
    </InShell>,
    { locale },
  );
  return { person, calls };
}

/** A part of the configuration, by its heading. */
export async function section(name: string) {
  const heading = await screen.findByRole('heading', { level: 2, name });
  const details = heading.closest('details');
  if (!(details instanceof HTMLElement)) throw new Error('No section');
  return { details, summary: heading, inside: within(details) };
}

/** The accessible description of a field. */
export function describedBy(field: HTMLElement): string {
  const ids = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '');
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}
