import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ServicePort } from '#extension/setup/ports.ts';
import { ConfigurationPanel } from '#extension/views/configuration/ConfigurationPanel.tsx';
import { Surface } from '#extension/views/Surface.tsx';
import { InShell } from './in-shell.tsx';

interface Shown {
  readonly service: ServicePort;
  readonly site: string;
  readonly locale?: string;
}

export function showConfiguration({ service, site, locale = 'en-US' }: Shown) {
  const calls = { changed: 0 };
  history.replaceState(null, '', '#/page-properties');
  render(
    <Surface locale={locale} theme="light" standAlone={false}>
      <InShell>
        {(onUnsaved) => (
          <ConfigurationPanel service={service} organization="wknd" site={site} onUnsaved={onUnsaved} onChanged={() => calls.changed++} />
        )}
      </InShell>
    </Surface>,
  );
  return { person: userEvent.setup(), calls };
}
