import type { ReactNode } from 'react';
import type { ServicePort } from '#extension/setup/ports.ts';
import type { Known, Situation } from '#extension/setup/situation.ts';
import type { Environment } from '#extension/setup/sites/environments.ts';
import { addressWith, goTo } from '../../host/address-state.ts';
import { Badge } from '../shared/Badge.tsx';
import { organizationAddress } from '../shell/organization-address.ts';
import { isOfPage, SITE_PLACES, sitePlaceIn } from '../shell/places.ts';
import type { SitePlace } from '../shell/places.ts';
import { NO_ROW } from '../address/row-parameters.ts';
import { Shell } from '../shell/Shell.tsx';
import { SiteParts } from '../shell/SiteParts.tsx';
import { useAddress } from '../address/use-address.ts';
import { useGuarded } from '../shell/use-guarded.ts';
import { GlossaryOffered } from '../shared/use-glossary.tsx';
import { useMessages } from '../messages/use-messages.ts';
import type { Tone } from './step-view.ts';

interface Props {
  readonly situation: Situation;
  readonly state: { readonly label: string; readonly tone: Tone };
  /** How many checks found something wrong; undefined while that is not known. */
  readonly wrong: number | undefined;
  readonly service: ServicePort;
  /** Empty while the page has none, as the site's name. */
  readonly organization: string;
  readonly siteName: string;
  /** The service has the site, so that there is something to configure. */
  readonly isStored: boolean;
  /** A plan is carried out, which is followed here alone. */
  readonly isBusy: boolean;
  /** Which of the two is shown within a shell that somebody else draws. */
  readonly within: 'setup' | 'health' | undefined;
  readonly onChanged: () => void;
  readonly setup: ReactNode;
  readonly health: ReactNode;
}

/** The shell of the page's site: which page this is, its state, and one of its places. */
export function PageShell(props: Props) {
  const { situation, state, wrong, service, organization, siteName, isStored, isBusy, within, onChanged, setup, health } = props;
  const { general, page, history, access, configuration } = useMessages();
  const { settings, profile } = situation;
  const isOffered = (place: SitePlace): boolean => {
    if (place === 'history') return organization !== '' && siteName !== '';
    return isStored || isOfPage(place);
  };
  const asked = sitePlaceIn(useAddress());
  const wanted = within ?? (isOffered(asked) ? asked : 'setup');
  const { shown, isAsking, leave, onUnsaved } = useGuarded(wanted, wanted);
  const title = settings.title ?? settings.siteRoot;
  const facts = (
    <>
      <p className="rp-quiet rp-code">{settings.siteRoot}</p>
      {settings.page !== settings.siteRoot && <p className="rp-quiet">{page.openedFrom(settings.page)}</p>}
    </>
  );
  const standing = (
    <>
      <Badge tone={state.tone} text={state.label} />
      {profile.state === 'known' && <span className="rp-quiet">{page.signedInAs(profile.value.email)}</span>}
    </>
  );
  const body = (
    <>
      <div className="rp-stack" hidden={shown !== 'setup'}>
        {setup}
      </div>
      <div className="rp-stack" hidden={shown !== 'health'}>
        {health}
      </div>
    </>
  );
  if (within !== undefined) {
    return (
      <>
        <header className="rp-header">
          <div className="rp-header-text">
            <h2>{title}</h2>
            {facts}
          </div>
          <div className="rp-header-state">{standing}</div>
        </header>
        {body}
      </>
    );
  }
  const names: Readonly<Record<SitePlace, string>> = {
    setup: general.shell.setup,
    health: general.shell.health,
    configuration: configuration.open,
    access: access.open,
    history: history.open,
  };
  return (
    <Shell
      title={title}
      above={{ name: general.shell.allSites(organization), ...(isBusy ? {} : { address: organizationAddress() }) }}
      places={SITE_PLACES.filter(isOffered).map((place) => ({
        name: names[place],
        address: addressWith({ place: place === 'setup' ? '' : place, version: '', ...NO_ROW }),
        isCurrent: place === shown,
        count: place === 'health' && wrong !== undefined ? { shown: wrong, says: general.shell.wrong(wrong) } : undefined,
      }))}
      facts={facts}
      standing={standing}
      question={isAsking ? { onStay: () => goTo(addressWith({ place: shown, ...NO_ROW })), onLeave: leave } : undefined}
    >
      <GlossaryOffered value>
        {body}
        <SiteParts
          place={shown}
          service={service}
          organization={organization}
          site={siteName}
          environment={environmentOf(situation)}
          onUnsaved={onUnsaved}
          onChanged={onChanged}
          onRestored={onChanged}
        />
      </GlossaryOffered>
    </Shell>
  );
}

/** The page's own authoring environment, with the technical account that it shows. */
function environmentOf({ settings: { author, technicalAccount } }: Situation): () => Promise<Known<Environment>> {
  const account = technicalAccount.value === undefined ? {} : { technicalAccount: technicalAccount.value };
  return async () => ({ state: 'known', value: { author, ...account } });
}
