import type { ServicePort } from '#extension/setup/ports.ts';
import type { Known } from '#extension/setup/situation.ts';
import type { Environment } from '#extension/setup/sites/environments.ts';
import { Access } from '../access/Access.tsx';
import { Configuration } from '../configuration/Configuration.tsx';
import { History } from '../history/History.tsx';
import type { HistoryDrawer } from '../history/use-history-drawer.ts';
import type { Drawer } from '../shared/use-drawer.ts';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly history: HistoryDrawer;
  readonly access: HistoryDrawer;
  /** Of the site of this name. */
  readonly configuration: Drawer<string>;
  /** The authoring environment of the site at hand. */
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onRestored: () => void;
  readonly onChanged: () => void;
}

/** What takes the place of the list for a while: a history, who has access, or the configuration of a site. */
export function SiteDrawers({ service, organization, history, access, configuration, environment, onRestored, onChanged }: Props) {
  return (
    <>
      {history.subject !== undefined && (
        <History history={service.history} subject={history.subject} onClose={history.close} onRestored={onRestored} />
      )}
      {access.subject !== undefined && (
        <Access service={service} subject={access.subject} environment={environment} onClose={access.close} onChanged={onChanged} />
      )}
      {configuration.subject !== undefined && (
        <Configuration
          service={service}
          organization={organization}
          site={configuration.subject}
          onClose={configuration.close}
          onChanged={onChanged}
        />
      )}
    </>
  );
}
