import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { Access } from '../../features/access/Access.tsx';
import { Configuration } from '../../features/configuration/Configuration.tsx';
import { History } from '../../features/history/History.tsx';
import type { SitePlace } from './places.ts';

interface Props {
  readonly place: SitePlace;
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  /** The authoring environment that the site's content comes from, as far as it can be read. */
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  /** What is stored is another state now. */
  readonly onChanged: () => void;
  /** The same, by its history. */
  readonly onRestored: () => void;
}

/** The places of a site that need nothing of its page: its configuration, who has access, its history. */
export function SiteParts({ place, service, organization, site, environment, onUnsaved, onChanged, onRestored }: Props) {
  const subject = { kind: 'site', organization, name: site } as const;
  if (place === 'configuration') {
    return <Configuration service={service} organization={organization} site={site} onUnsaved={onUnsaved} onChanged={onChanged} />;
  }
  if (place === 'access') {
    return <Access service={service} subject={subject} environment={environment} onUnsaved={onUnsaved} onChanged={onChanged} />;
  }
  return place === 'history' ? <History history={service.history} subject={subject} onRestored={onRestored} /> : null;
}
