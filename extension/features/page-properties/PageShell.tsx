import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import type { ReactNode } from 'react';
import { addressWith, NO_ROW, organizationAddress } from '../../host/address-state.ts';
import { Shell } from '../shell/Shell.tsx';
import { SiteParts } from '../shell/SiteParts.tsx';
import { isOfPage, SITE_PLACES, type SitePlace, sitePlaceIn, sitePlaceNames } from '../shell/places.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useAddress } from '../../ui/LinkedRows.tsx';
import { GlossaryOffered } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useActiveRun, useGuarded } from '../../ui/use-guarded.ts';
import type { Tone } from './step-view.ts';

interface Props {
  readonly situation: Situation;
  /** Undefined if the person may not read the site. */
  readonly state: { readonly label: string; readonly tone: Tone } | undefined;
  /** Number of checks that found something wrong; undefined if unknown. */
  readonly wrong: number | undefined;
  readonly service: ServicePort;
  /** Empty until the page has one, like the site's name. */
  readonly organization: string;
  readonly siteName: string;
  /** The service has the site, so there is something to configure. */
  readonly isStored: boolean;
  /** A run is in progress, which only this view shows. */
  readonly isBusy: boolean;
  /** The place to show, if a parent renders the shell. */
  readonly within: 'setup' | 'health' | undefined;
  readonly onChanged: () => void;
  readonly setup: ReactNode;
  readonly health: ReactNode;
}

/** The page's site: the page, its state, and one of its places; in its own shell unless it is rendered within another one. */
export function PageShell(props: Props) {
  const { isBusy, within } = props;
  useActiveRun(isBusy, within === undefined ? 'view' : 'site');
  if (within === undefined) return <OwnShell {...props} />;
  return (
    <>
      <header className="rp-header">
        <div className="rp-header-text">
          <h2>{titleOf(props)}</h2>
          <Facts {...props} />
        </div>
        <div className="rp-header-state">
          <PageStatus {...props} />
        </div>
      </header>
      <PagePlace {...props} shown={within} />
    </>
  );
}

function OwnShell(props: Props) {
  const { situation, wrong, organization, siteName, isStored, isBusy, onChanged } = props;
  const messages = useMessages();
  const { general } = messages;
  const isOffered = (place: SitePlace): boolean => {
    if (place === 'history') return organization !== '' && siteName !== '';
    return isStored || isOfPage(place);
  };
  const requested = sitePlaceIn(useAddress());
  const offered = isOffered(requested) ? requested : 'setup';
  const { shown, question, onUnsaved } = useGuarded(offered, offered);
  const names = sitePlaceNames(messages);
  return (
    <Shell
      title={titleOf(props)}
      above={{ name: general.shell.allSites({ organization }), ...(isBusy ? {} : { address: organizationAddress() }) }}
      places={SITE_PLACES.filter(isOffered).map((place) => ({
        name: names[place],
        address: addressWith({ place: place === 'setup' ? '' : place, version: '', ...NO_ROW }),
        isCurrent: place === shown,
        count: place === 'health' && wrong !== undefined ? { shown: wrong, label: general.shell.wrong({ count: wrong }) } : undefined,
      }))}
      facts={<Facts {...props} />}
      status={<PageStatus {...props} />}
      question={question}
    >
      <GlossaryOffered value>
        <PagePlace {...props} shown={shown} />
        <SiteParts
          {...props}
          place={shown}
          site={siteName}
          environment={environmentOf(situation)}
          onUnsaved={onUnsaved}
          onRestored={onChanged}
        />
      </GlossaryOffered>
    </Shell>
  );
}

/** Setup and health stay mounted behind the other places: a run continues, and input is preserved. */
function PagePlace({ shown, setup, health }: Pick<Props, 'setup' | 'health'> & { readonly shown: SitePlace }) {
  return (
    <>
      <div className="rp-stack" hidden={shown !== 'setup'}>
        {setup}
      </div>
      <div className="rp-stack" hidden={shown !== 'health'}>
        {health}
      </div>
    </>
  );
}

function Facts({ situation: { settings } }: Props) {
  const { page } = useMessages();
  return (
    <>
      <p className="rp-quiet rp-code">{settings.siteRoot}</p>
      {settings.page !== settings.siteRoot && <p className="rp-quiet">{page.openedFrom({ path: settings.page })}</p>}
    </>
  );
}

function PageStatus({ situation: { profile }, state }: Props) {
  const { page } = useMessages();
  return (
    <>
      {state !== undefined && <Badge tone={state.tone} text={state.label} />}
      {profile.state === 'known' && <span className="rp-quiet">{page.signedInAs({ name: profile.value.email })}</span>}
    </>
  );
}

function titleOf({ situation: { settings } }: Props): string {
  return settings.title ?? settings.siteRoot;
}

/** The page's authoring environment, with the technical account that it shows. */
function environmentOf({ settings: { author, technicalAccount } }: Situation): () => Promise<Known<Environment>> {
  const account = technicalAccount.value === undefined ? {} : { technicalAccount: technicalAccount.value };
  return async () => ({ state: 'known', value: { author, ...account } });
}
