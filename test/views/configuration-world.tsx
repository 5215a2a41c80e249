import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ServicePort } from '#extension/setup/ports.ts';
import { ConfigurationPanel } from '#extension/views/configuration/ConfigurationPanel.tsx';
import { Surface } from '#extension/views/Surface.tsx';

interface Shown {
  readonly service: ServicePort;
  readonly site: string;
  readonly locale?: string;
}

export function showConfiguration({ service, site, locale = 'en-US' }: Shown) {
  const calls = { closed: 0, changed: 0 };
  render(
    <Surface locale={locale} theme="light" standAlone={false}>
      <ConfigurationPanel
        service={service}
        organization="wknd"
        site={site}
        onClose={() => calls.closed++}
        onChanged={() => calls.changed++}
      />
    </Surface>,
  );
  return { person: userEvent.setup(), calls };
}
