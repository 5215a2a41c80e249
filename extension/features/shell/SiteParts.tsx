import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { History } from '../history/History.tsx';
import { lazyView } from '../../ui/lazy-component.tsx';
import type { SitePlace } from './places.ts';

/** Access to a site or an organization; its screens are loaded when it is first opened. */
export const Access = lazyView(async () => (await import('../access/AccessPanel.tsx')).AccessPanel, {
  parts: ['access'],
  textOf: ({ access }) => access.reading,
});
const Configuration = lazyView(async () => (await import('../configuration/ConfigurationPanel.tsx')).ConfigurationPanel, {
  parts: ['configuration', 'access', 'history'],
  textOf: ({ configuration }) => configuration.reading,
});

interface Props {
  readonly place: SitePlace;
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  /** The authoring environment of the site's content, if it can be read. */
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  /** Called when a version was restored from the history. */
  readonly onRestored: () => void;
}

/** The places of a site that need only the service: its configuration, access and history. */
export function SiteParts({ place, service, organization, site, environment, onUnsaved, onChanged, onRestored }: Props) {
  const key = `${organization} ${site}`;
  const subject = { kind: 'site', organization, name: site } as const;
  if (place === 'configuration') {
    return (
      <Configuration key={key} service={service} organization={organization} site={site} onUnsaved={onUnsaved} onChanged={onChanged} />
    );
  }
  if (place === 'access') {
    return <Access key={key} service={service} subject={subject} environment={environment} onUnsaved={onUnsaved} onChanged={onChanged} />;
  }
  return place === 'history' ? <History key={key} history={service.history} subject={subject} onRestored={onRestored} /> : null;
}
