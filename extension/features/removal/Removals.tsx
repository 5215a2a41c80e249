import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { FormerSite } from '@repoless/core/sites/plan-removals.ts';
import type { LocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { use } from 'react';
import { lazyView } from '../../ui/lazy-component.tsx';
import { RemovalContext } from '../../ui/organization-contexts.ts';
import type { Drawer } from '../../ui/use-drawer.ts';

const RemoveSites = lazyView(async () => (await import('./RemoveSites.tsx')).RemoveSites);

interface Props {
  readonly removing: Drawer<readonly OrganizationSite[]>;
  readonly around: {
    readonly home: { readonly ports: SetupPorts; readonly author: string };
    readonly portsFor: (author: string) => SetupPorts;
    readonly organization: string;
    readonly info: ServiceInfo;
    readonly sites: readonly SiteListEntry[];
  };
  readonly onRemoved: (removed: readonly LocaleSite[]) => void;
  readonly onRestored: (restored: readonly LocaleSite[]) => void;
}

export function Removals({ removing, around, onRemoved, onRestored }: Props) {
  const removal = use(RemovalContext);
  if (removing.subject === undefined || removal === undefined) return null;
  const { home, portsFor, organization, info, sites } = around;
  return (
    <RemoveSites
      formers={formersOf(removing.subject, sites, home.author)}
      around={{ organization, info, removal, home: home.ports, portsFor }}
      onRemoved={onRemoved}
      onRestored={onRestored}
      onClose={removing.close}
    />
  );
}

/** Selected sites as shown in the list. `here` is the current author, which is used for a site without content. */
function formersOf(chosen: readonly OrganizationSite[], sites: readonly SiteListEntry[], here: string): FormerSite[] {
  const listed = new Map(sites.map((site) => [site.name, site]));
  return chosen.map(({ name, author, contentRoot }) => {
    const code = listed.get(name)?.code;
    return {
      siteName: name,
      author: author ?? here,
      ...(author === undefined || contentRoot === undefined ? {} : { contentRoot }),
      ...(code === undefined ? {} : { code }),
    };
  });
}
