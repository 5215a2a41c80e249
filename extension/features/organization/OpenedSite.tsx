import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { CheckId, SiteCheck } from '@repoless/contract/site-check.ts';
import { fromStoredFinding } from '@repoless/core/checks/finding.ts';
import type { AuthoringPort, ServicePort } from '@repoless/core/situation/ports.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import { use, useCallback, useState } from 'react';
import { RemoveButton } from '../../ui/forms.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { addressWith } from '../../host/address-state.ts';
import { findingAddress, parametersOf, type SitePlace } from '../shell/places.ts';
import { Age } from '../../ui/Age.tsx';
import { StateBadge } from '../../ui/Badge.tsx';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { Term } from '../../ui/use-glossary.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { lazyView } from '../../ui/lazy-component.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { FindingList, groupFindings, useFixLinks } from '../page-properties/FindingList.tsx';
import { type Repair, RepairStatus } from './SiteList.tsx';
import type { SiteGridRow } from './organization-rows.tsx';

const CloneSite = lazyView(async () => (await import('./CloneSite.tsx')).CloneSite);

interface Props {
  readonly row: SiteGridRow;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly service: ServicePort;
  /** Of the author of the site's content. */
  readonly authoring: AuthoringPort;
  readonly isMoving: boolean;
  readonly isKept: boolean;
  /** Leads to the review of only this site; absent if there is nothing to repair here. */
  readonly repair: Repair | undefined;
  readonly onPlace: (place: SitePlace) => void;
  /** Checks the site with the authoring system; false if that could not be read. */
  readonly onCheck: () => Promise<boolean>;
  readonly onCreated: (siteName: string, isOpen: boolean) => void;
  /** Absent if what is deleted with it cannot be read. */
  readonly onRemove: (() => void) | undefined;
  readonly onClose: () => void;
}

/** The site that is open next to the list: its state, or the form that clones it. */
export function OpenedSite(props: Props) {
  const { site } = props.row;
  const [isCloning, setCloning] = useState(false);
  if (isCloning) return <CloneSite {...props} site={site} onCancel={() => setCloning(false)} />;
  return <SiteDetails {...props} onClone={hasContent(site) ? () => setCloning(true) : undefined} />;
}

function hasContent({ contentRoot, author }: OrganizationSite): boolean {
  return contentRoot !== undefined && author !== undefined;
}

function SiteDetails(props: Props & { readonly onClone: (() => void) | undefined }) {
  const { row, organization, isMoving, repair, onPlace, onClone, onRemove } = props;
  const all = useMessages('sites');
  const { organization: messages, clone, overview, outcome, siteKinds } = all;
  const { details } = overview;
  const { site, state } = row;
  const hasPage = hasContent(site);
  const heading = useFocusOnArrival<HTMLHeadingElement>(site.name);
  const [checking, setChecking] = useState<'no' | 'yes' | 'unread'>('no');
  const [checks, setCheckCount] = useState(0);
  const { preview, live } = rowAddresses({ organization, info: props.info }, { siteName: site.name });
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
    const isRead = await props.onCheck();
    setChecking(isRead ? 'no' : 'unread');
    setCheckCount((now) => now + 1);
  };
  return (
    <section className="rp-details" aria-labelledby="rp-site">
      <div className="rp-details-head">
        <h2 id="rp-site" tabIndex={-1} ref={heading}>
          {messages.chosen({ site: site.name })}
        </h2>
        <RemoveButton label={details.close} onPress={props.onClose} />
      </div>
      <StateBadge state={state} />
      <div className="rp-actions">
        {repair !== undefined && (
          <TextButton
            variant="accent"
            isDisabled={isMoving || repair.pages !== undefined}
            onPress={() => void repair.start([row])}
            text={details.repair}
          />
        )}
        {hasPage && (
          <TextButton variant={repair === undefined ? 'accent' : 'secondary'} onPress={() => onPlace('setup')} text={details.setup} />
        )}
        {hasPage && <TextButton isDisabled={checking === 'yes'} onPress={() => void check()} text={details.check} />}
        {(['history', 'access', 'configuration'] as const).map((place) => (
          <TextButton
            key={place}
            onPress={() => onPlace(place)}
            aria-label={all[place].openOf({ name: site.name })}
            text={all[place].open}
          />
        ))}
      </div>
      {repair !== undefined && <RepairStatus repair={repair} />}
      <Status as="span">{checking === 'yes' ? details.checking : checking === 'unread' ? details.unread : ''}</Status>
      {props.isKept && (
        <SiteFindings
          key={`${site.name} ${row.stored?.checkedAt ?? ''} ${checks}`}
          organization={organization}
          siteName={site.name}
          hasPage={hasPage}
          onRepair={repair === undefined || isMoving || repair.pages !== undefined ? undefined : () => void repair.start([row])}
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
              <dt>{name === details.base ? <Term id="baseSite">{name}</Term> : name}</dt>
              <dd className="rp-value">{value}</dd>
            </div>
          ),
        )}
      </dl>
      <div className="rp-actions">
        <TextButton isDisabled={isMoving || onClone === undefined} onPress={() => onClone?.()} text={clone.open} />
        {onClone === undefined && <span className="rp-quiet">{clone.impossible}</span>}
      </div>
      {onRemove !== undefined && (
        <div className="rp-actions">
          <TextButton
            variant="negative"
            style="outline"
            isDisabled={isMoving || site.hasLocales}
            onPress={onRemove}
            text={messages.remove}
          />
          {site.hasLocales && <span className="rp-quiet">{messages.removeBase}</span>}
        </div>
      )}
    </section>
  );
}

interface SiteFindingsProps {
  readonly organization: string;
  readonly siteName: string;
  /** Its page is known, so it has a place that explains findings. */
  readonly hasPage: boolean;
  readonly onRepair: (() => void) | undefined;
}

function SiteFindings({ organization, siteName, ...more }: SiteFindingsProps) {
  const checks = use(ChecksContext);
  const messages = useMessages('sites');
  const { details } = messages.overview;
  const read = useCallback(() => checks.site(organization, siteName), [checks, organization, siteName]);
  const [reading] = useReading(read);
  switch (reading.state) {
    case 'loading':
      return <Status>{details.reading}</Status>;
    case 'missing':
      return <p className="rp-quiet">{details.never}</p>;
    case 'failed':
      return <FailureNotice title={messages.overview.failed} failure={reading.failure} />;
    case 'ready':
      return <Found {...more} found={reading.value} siteName={siteName} />;
    default:
      return reading satisfies never;
  }
}

type FoundProps = Omit<SiteFindingsProps, 'organization'> & { readonly found: SiteCheck };

function Found({ found, siteName, hasPage, onRepair }: FoundProps) {
  const { details } = useMessages('sites').overview;
  const { checks } = useMessages('site-check');
  const { service, authoring, findings, isOutdated } = found;
  const mendOf = useFixLinks(
    (place, step) => addressWith({ ...parametersOf({ at: 'site', place, site: siteName }), step: step ?? '' }),
    () => hasPage,
    onRepair,
  );
  if (service === undefined && authoring === undefined) return <p className="rp-quiet">{details.never}</p>;
  const groups = groupFindings(findings.map(fromStoredFinding));
  const of = (verdict: string) => groups.find((group) => group.verdict === verdict)?.findings ?? [];
  const titles = (ids: readonly CheckId[]) => ids.map((id) => checks.titles[id]);
  const unseen = of('unknown').map(({ check }) => check);
  return (
    <>
      <ul className="rp-plain-list rp-quiet">
        {service !== undefined && (
          <li>
            {details.byService} · <Age time={service.at} />
          </li>
        )}
        <li>
          {authoring === undefined ? (
            details.noAuthoring
          ) : (
            <>
              {details.byPerson({ who: authoring.by })} · <Age time={authoring.at} />
            </>
          )}
        </li>
        {isOutdated && <li className="rp-strong">{details.outdated}</li>}
      </ul>
      {groups
        .filter(({ verdict }) => verdict === 'wrong' || verdict === 'warning')
        .map(({ verdict, findings: some }) => (
          <FindingList
            key={verdict}
            title={checks.verdicts[verdict].group({ count: some.length })}
            findings={some}
            folded={false}
            addressOf={hasPage ? ({ check }) => findingAddress(siteName, check) : undefined}
            mendOf={mendOf}
          />
        ))}
      <p className="rp-quiet">{details.fine({ count: of('fine').length + of('note').length })}</p>
      {unseen.length > 0 && <p className="rp-quiet">{details.unseen({ titles: titles(unseen) })}</p>}
    </>
  );
}
