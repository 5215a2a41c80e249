import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import { atRoot } from '@repoless/core/overview/stored-checks.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import type { ServicePort, SetupPorts } from '@repoless/core/situation/ports.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import { useMemo, useState } from 'react';
import { SiteParts } from '../shell/SiteParts.tsx';
import { addressTo, isOfPage, type OrganizationLocation } from '../shell/places.ts';
import { Explanation } from '../../ui/Notice.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { PageProperties } from '../page-properties/PageProperties.tsx';

interface Props {
  readonly where: Extract<OrganizationLocation, { at: 'site' }>;
  /** The organization is known not to have this site. */
  readonly isMissing: boolean;
  /** The site in the organization's list; absent if it was removed, but its history still exists. */
  readonly site: OrganizationSite | undefined;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly service: ServicePort;
  readonly serviceAddress: string;
  readonly portsFor: (author: string | undefined) => SetupPorts;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onRestored: () => void;
  readonly onChanged: () => void;
  readonly onSignedOut: SignInAgain;
}

export function EnteredSite(props: Props) {
  const { where, isMissing, site, organization, portsFor, onUnsaved, onRestored, onChanged } = props;
  const { author, contentRoot } = site ?? {};
  const { place } = where;
  const ofPage = isOfPage(place) ? place : undefined;
  // Once rendered it stays mounted behind the other places: a run continues, and input is preserved.
  const [within, setWithin] = useState(ofPage);
  if (ofPage !== undefined && ofPage !== within) setWithin(ofPage);
  const environment = async () =>
    author === undefined || contentRoot === undefined
      ? ({ state: 'missing' } as const)
      : readEnvironment(portsFor(author).authoring, contentRoot, props.info);
  return (
    <>
      {within !== undefined && contentRoot !== undefined && (
        <div className="rp-stack" hidden={ofPage === undefined}>
          <SetupOfSite
            ports={portsFor(author)}
            path={contentRoot}
            within={within}
            organization={organization}
            service={props.serviceAddress}
            clientAt={props.clientAt}
            onSignedOut={props.onSignedOut}
          />
        </div>
      )}
      {isMissing && place !== 'history' ? (
        <NotThere organization={organization} where={where} />
      ) : (
        <SiteParts
          place={place}
          service={props.service}
          organization={organization}
          site={where.site}
          environment={site === undefined ? undefined : environment}
          onUnsaved={onUnsaved}
          onChanged={onChanged}
          onRestored={onRestored}
        />
      )}
    </>
  );
}

/** An address led here: the site may have been removed, but its history is stored. */
function NotThere({ organization, where }: { readonly organization: string; readonly where: Props['where'] }) {
  const { sites, history } = useMessages('sites');
  return (
    <Explanation explained={fill(sites.notThere, { organization, site: where.site })}>
      <AddressLink address={addressTo({ ...where, place: 'history' })}>{history.openOf({ name: where.site })}</AddressLink>
    </Explanation>
  );
}

interface SetupOfSiteProps extends Pick<Props, 'organization' | 'clientAt' | 'onSignedOut'> {
  readonly ports: SetupPorts;
  readonly path: string;
  readonly within: 'setup' | 'health';
  readonly service: string;
}

function SetupOfSite({ ports, clientAt, ...props }: SetupOfSiteProps) {
  const rooted = useMemo(() => atRoot(ports), [ports]);
  const [edits, setEdits] = useState(NO_EDITS);
  return <PageProperties {...props} ports={rooted} {...(clientAt === undefined ? {} : { clientAt })} edits={edits} onEdit={setEdits} />;
}
