import { siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly siteName: string;
  /** The site answers there: addresses are links and can be copied. */
  readonly live?: boolean;
}

/** The preview and live address that a site has, or will have. */
export function SiteAddresses({ info, organization, siteName, live = false }: Props) {
  const { outcome, choices } = useMessages();
  const domains = { protocol: info.protocol, preview: info.previewDomain, live: info.liveDomain };
  const address = (tier: 'preview' | 'live') => siteAddress(domains, tier, { ref: DEFAULT_REF, site: siteName, org: organization });
  const rows = [
    ['preview', live ? outcome.preview : choices.preview],
    ['live', live ? outcome.live : choices.live],
  ] as const;
  return (
    <dl className="rp-addresses">
      {rows.map(([tier, name]) => (
        <div key={tier}>
          <dt>{name}</dt>
          <dd>
            {live ? (
              <ExternalLink address={address(tier)} copyLabel={outcome.copyAddress[tier]}>
                {address(tier)}
              </ExternalLink>
            ) : (
              <span className="rp-value">{address(tier)}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
