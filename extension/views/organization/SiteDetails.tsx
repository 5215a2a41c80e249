import { Button } from '@adobe/react-spectrum/Button';
import type { ServiceInfo } from '#contract/service.ts';
import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import { rowAddresses } from '#extension/setup/sites/row-site.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { useSitesWords } from '../sites/use-sites-words.ts';

interface Props {
  readonly site: OrganizationSite;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
  readonly onHistory: () => void;
  readonly onAccess: () => void;
}

/** The chosen site: its addresses, where its content comes from, and the way to remove it. */
export function SiteDetails({ site, organization, info, isDisabled, onRemove, onHistory, onAccess }: Props) {
  const { organization: words, outcome, history, access } = useSitesWords();
  const { preview, live } = rowAddresses({ organization, info }, { siteName: site.name });
  const addresses = [
    [words.preview, preview],
    [words.live, live],
  ] as const;
  return (
    <section className="rp-card" aria-labelledby="rp-site">
      <h2 id="rp-site">{words.chosen(site.name)}</h2>
      <dl className="rp-addresses">
        {addresses.map(([name, address]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <a href={address} target="_blank" rel="noreferrer" className="rp-link">
                {address}
              </a>
              <CopyButton text={address} label={outcome.copyAddress(name)} />
            </dd>
          </div>
        ))}
        {site.author !== undefined && (
          <div>
            <dt>{words.author}</dt>
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
        <Button variant="negative" style="outline" isDisabled={isDisabled || site.state === 'base'} onPress={onRemove}>
          {words.remove}
        </Button>
        {site.state === 'base' && <span className="rp-quiet">{words.removeBase}</span>}
      </div>
    </section>
  );
}
