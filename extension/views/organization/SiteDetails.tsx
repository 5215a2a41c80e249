import { Button } from '@adobe/react-spectrum/Button';
import type { ServiceInfo } from '#contract/service.ts';
import type { SiteState } from '#contract/site-check.ts';
import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import { rowAddresses } from '#extension/setup/sites/row-site.ts';
import { ExternalLink } from '../shared/ExternalLink.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { StateBadge } from '../shared/StateBadge.tsx';
import { useMessages } from '../messages/use-messages.ts';

interface Props {
  readonly site: OrganizationSite;
  readonly state: SiteState;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
  readonly onHistory: () => void;
  readonly onAccess: () => void;
}

/** The chosen site: its addresses, where its content comes from, and the way to remove it. */
export function SiteDetails({ site, state, organization, info, isDisabled, onRemove, onHistory, onAccess }: Props) {
  const { organization: messages, outcome, history, access, siteKinds } = useMessages('sites');
  const heading = useFocusOnArrival<HTMLHeadingElement>(site.name);
  const { preview, live } = rowAddresses({ organization, info }, { siteName: site.name });
  const addresses = [
    [messages.preview, preview],
    [messages.live, live],
  ] as const;
  return (
    <section className="rp-card" aria-labelledby="rp-site">
      <h2 id="rp-site" tabIndex={-1} ref={heading}>
        {messages.chosen(site.name)}
      </h2>
      <div className="rp-actions">
        <span>{siteKinds[site.kind]}</span>
        <StateBadge state={state} />
      </div>
      <dl className="rp-addresses">
        {addresses.map(([name, address]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <ExternalLink address={address} copyLabel={outcome.copyAddress(name)}>
                {address}
              </ExternalLink>
            </dd>
          </div>
        ))}
        {site.author !== undefined && (
          <div>
            <dt>{messages.author}</dt>
            <dd className="rp-value">
              {site.author}
              {site.contentRoot}
            </dd>
          </div>
        )}
      </dl>
      <div className="rp-actions">
        <Button variant="secondary" onPress={onHistory} aria-label={history.openOf(site.name)}>
          {history.open}
        </Button>
        <Button variant="secondary" onPress={onAccess} aria-label={access.openOf(site.name)}>
          {access.open}
        </Button>
        <Button variant="negative" style="outline" isDisabled={isDisabled || site.carries} onPress={onRemove}>
          {messages.remove}
        </Button>
        {site.carries && <span className="rp-quiet">{messages.removeBase}</span>}
      </div>
    </section>
  );
}
