import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import Close from '@spectrum-icons/workflow/Close';
import { use, useState } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import { ChecksContext } from '../../ui/checks-context.ts';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { StateBadge } from '../../ui/StateBadge.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { RepairStatus } from './ChosenBar.tsx';
import type { SiteGridRow } from './organization-rows.ts';
import { SiteFindings } from './SiteFindings.tsx';
import type { Repair } from './use-repair.ts';

interface Props {
  readonly row: SiteGridRow;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly isDisabled: boolean;
  /** The service keeps what was found. */
  readonly isKept: boolean;
  readonly onSetup: (() => void) | undefined;
  /** The way to the review of the site alone; absent where there is nothing to repair here. */
  readonly repair: Repair | undefined;
  /** Checks the site with the authoring system; false where that could not be read. Absent: nobody knows its page. */
  readonly onCheck: (() => Promise<boolean>) | undefined;
  /** Absent where the site has no content that a clone could have instead. */
  readonly onClone: (() => void) | undefined;
  readonly onRemove: () => void;
  readonly onHistory: () => void;
  readonly onAccess: () => void;
  readonly onConfiguration: () => void;
  readonly onClose: () => void;
}

/** The site at hand, beside the list: what was found, the ways to mend it, its addresses. */
export function SiteDetails(props: Props) {
  const {
    row,
    organization,
    info,
    isDisabled,
    isKept,
    repair,
    onSetup,
    onCheck,
    onClone,
    onRemove,
    onHistory,
    onAccess,
    onConfiguration,
    onClose,
  } = props;
  const { organization: messages, clone, overview, outcome, history, access, configuration, siteKinds } = useMessages('sites');
  const { details } = overview;
  const checks = use(ChecksContext);
  const { site, state } = row;
  const heading = useFocusOnArrival<HTMLHeadingElement>(site.name);
  const [checking, setChecking] = useState<'no' | 'yes' | 'unread'>('no');
  const [looked, setLooked] = useState(0);
  const { preview, live } = rowAddresses({ organization, info }, { siteName: site.name });
  const addresses = [
    ['preview', preview],
    ['live', live],
  ] as const;
  const facts = [
    [details.kind, siteKinds[site.kind]],
    [details.base, site.base],
    [details.repository, site.repository],
    [messages.author, site.author === undefined ? undefined : `${site.author}${site.contentRoot ?? ''}`],
  ] as const;
  const check = async (): Promise<void> => {
    setChecking('yes');
    const isRead = (await onCheck?.()) ?? true;
    setChecking(isRead ? 'no' : 'unread');
    setLooked((now) => now + 1);
  };
  return (
    <section className="rp-details" aria-labelledby="rp-site">
      <div className="rp-details-head">
        <h2 id="rp-site" tabIndex={-1} ref={heading}>
          {messages.chosen({ site: site.name })}
        </h2>
        <ActionButton isQuiet onPress={onClose} aria-label={details.close}>
          <Close />
        </ActionButton>
      </div>
      <StateBadge state={state} />
      <div className="rp-actions">
        {repair !== undefined && (
          <Button variant="accent" isDisabled={isDisabled || repair.pages !== undefined} onPress={() => void repair.begin([row])}>
            {overview.repair}
          </Button>
        )}
        {onSetup !== undefined && (
          <Button variant={repair === undefined ? 'accent' : 'secondary'} onPress={onSetup}>
            {details.setup}
          </Button>
        )}
        {onCheck !== undefined && (
          <Button variant="secondary" isDisabled={checking === 'yes'} onPress={() => void check()}>
            {details.check}
          </Button>
        )}
        <Button variant="secondary" onPress={onHistory} aria-label={history.openOf({ name: site.name })}>
          {history.open}
        </Button>
        <Button variant="secondary" onPress={onAccess} aria-label={access.openOf({ name: site.name })}>
          {access.open}
        </Button>
        <Button variant="secondary" onPress={onConfiguration} aria-label={configuration.openOf({ name: site.name })}>
          {configuration.open}
        </Button>
      </div>
      {repair !== undefined && <RepairStatus repair={repair} />}
      <span role="status" className="rp-quiet">
        {checking === 'yes' ? details.checking : checking === 'unread' ? details.unread : ''}
      </span>
      {isKept && (
        <SiteFindings
          key={`${site.name} ${row.kept?.checkedAt ?? ''} ${looked}`}
          checks={checks}
          organization={organization}
          siteName={site.name}
          hasPage={onSetup !== undefined}
        />
      )}
      <dl className="rp-addresses">
        {addresses.map(([tier, address]) => (
          <div key={tier}>
            <dt>{messages[tier]}</dt>
            <dd>
              <ExternalLink address={address} copyLabel={outcome.copyAddress[tier]}>
                {address}
              </ExternalLink>
            </dd>
          </div>
        ))}
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="rp-value">{value}</dd>
            </div>
          ),
        )}
      </dl>
      <div className="rp-actions">
        <Button variant="secondary" isDisabled={isDisabled || onClone === undefined} onPress={() => onClone?.()}>
          {clone.open}
        </Button>
        {onClone === undefined && <span className="rp-quiet">{clone.impossible}</span>}
      </div>
      <div className="rp-actions">
        <Button variant="negative" style="outline" isDisabled={isDisabled || site.carries} onPress={onRemove}>
          {messages.remove}
        </Button>
        {site.carries && <span className="rp-quiet">{messages.removeBase}</span>}
      </div>
    </section>
  );
}
