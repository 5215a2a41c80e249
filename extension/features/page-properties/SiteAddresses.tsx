import type { ServiceInfo } from '@repoless/contract/service.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly siteName: string;
  /** The site responds: addresses are links and can be copied. */
  readonly live?: boolean;
}

/** The current or future preview and live addresses of a site. */
export function SiteAddresses({ info, organization, siteName, live = false }: Props) {
  const { outcome, choices } = useMessages();
  const addresses = rowAddresses({ organization, info }, { siteName });
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
              <ExternalLink address={addresses[tier]} copyLabel={outcome.copyAddress[tier]}>
                {addresses[tier]}
              </ExternalLink>
            ) : (
              <span className="rp-value">{addresses[tier]}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
