import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { ServicePort, SetupPorts } from '@repoless/core/situation/ports.ts';
import { use, useMemo, useState } from 'react';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { OrganizationSite } from '@repoless/core/sites/organization-sites.ts';
import type { FormerSite } from '@repoless/core/sites/plan-removals.ts';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import { atRoot } from '@repoless/core/overview/stored-checks.ts';
import { NO_EDITS } from '@repoless/core/plan/choices.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import type { MoveProps } from '../move/MoveSites.tsx';
import type { RemoveProps } from '../removal/RemoveSites.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { lazyView } from '../../ui/lazy-component.tsx';
import { RemovalContext, RolloutsContext } from '../../ui/organization-contexts.ts';
import { lastingStorage } from '../../host/storage.ts';
import type { Drawer } from '../../ui/use-drawer.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { UnfinishedNotice } from '../rows-run/RunProgress.tsx';
import { type MoveTarget, type Moving, storedMoves, type StoredMoves } from '../move/stored-moves.ts';
import type { Changing } from '../rollouts/ChangeMany.tsx';
import { SiteParts } from '../shell/SiteParts.tsx';
import { addressTo, isOfPage, type OrganizationLocation } from '../shell/places.ts';
import { Explanation } from '../../ui/Notice.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { PageProperties } from '../page-properties/PageProperties.tsx';

const MoveSites = lazyView(async () => (await import('../move/MoveSites.tsx')).MoveSites);

interface MovesProps extends Omit<MoveProps, 'moving' | 'storedMoves' | 'onClose'> {
  readonly moving: Drawer<Moving>;
  readonly isCovered: boolean;
}

export function Moves({ moving, isCovered, ...context }: MovesProps) {
  const { service, organization } = context;
  const moves = useMemo(() => storedMoves(lastingStorage(), service, organization), [service, organization]);
  if (moving.subject === undefined) return isCovered ? null : <UnfinishedMoveNotice storedMoves={moves} onGoOn={moving.open} />;
  return <MoveSites {...context} moving={moving.subject} storedMoves={moves} onClose={moving.close} />;
}

/** A move during which the tab was closed: to be continued or discarded. */
function UnfinishedMoveNotice({
  storedMoves,
  onGoOn,
}: {
  readonly storedMoves: StoredMoves;
  readonly onGoOn: (target: MoveTarget) => void;
}) {
  const { move } = useMessages('sites');
  const [left, setLeft] = useState(() => storedMoves.get());
  if (left === undefined) return null;
  const { target, started } = left;
  const discard = (): void => {
    storedMoves.remove();
    setLeft(undefined);
  };
  return (
    <UnfinishedNotice
      title={move.kept.title}
      started={started}
      text={(time) => move.kept.text({ count: target.names.length, to: target.to, time })}
      discard={move.kept.discard}
      onDiscard={discard}
    >
      <TextButton variant="accent" onPress={() => onGoOn(target)} text={move.kept.goOn} />
    </UnfinishedNotice>
  );
}

const RemoveSites = lazyView(async () => (await import('../removal/RemoveSites.tsx')).RemoveSites);

interface RemovalsProps extends Omit<RemoveProps, 'formers' | 'removal' | 'onClose'> {
  readonly removing: Drawer<readonly OrganizationSite[]>;
  readonly sites: readonly SiteListEntry[];
}

export function Removals({ removing, sites, ...context }: RemovalsProps) {
  const removal = use(RemovalContext);
  if (removing.subject === undefined || removal === undefined) return null;
  const formers = formersOf(removing.subject, sites, context.home.author);
  return <RemoveSites {...context} formers={formers} removal={removal} onClose={removing.close} />;
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

const ChangeMany = lazyView(async () => (await import('../rollouts/ChangeMany.tsx')).ChangeMany, { parts: ['rollouts'] });

interface ChangesProps {
  readonly change: Drawer<Changing>;
  readonly history: HistoryPort;
  readonly organization: string;
  readonly onStarted: () => void;
}

export function Changes({ change, history, organization, onStarted }: ChangesProps) {
  const rollouts = use(RolloutsContext);
  if (change.subject === undefined || rollouts === undefined) return null;
  return (
    <ChangeMany
      port={rollouts.port}
      history={history}
      organization={organization}
      changing={change.subject}
      onClose={change.close}
      onStarted={(id) => {
        change.close();
        onStarted();
        rollouts.started(id);
      }}
    />
  );
}

interface EnteredProps {
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

export function EnteredSite(props: EnteredProps) {
  const { where, isMissing, site, organization, portsFor } = props;
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
        <NotFound organization={organization} where={where} />
      ) : (
        <SiteParts {...props} place={place} site={where.site} environment={site === undefined ? undefined : environment} />
      )}
    </>
  );
}

/** An address led here: the site may have been removed, but its history is stored. */
function NotFound({ organization, where }: { readonly organization: string; readonly where: EnteredProps['where'] }) {
  const { sites, history } = useMessages('sites');
  return (
    <Explanation explained={fill(sites.notThere, { organization, site: where.site })}>
      <AddressLink address={addressTo({ ...where, place: 'history' })}>{history.openOf({ name: where.site })}</AddressLink>
    </Explanation>
  );
}

interface SetupOfSiteProps extends Pick<EnteredProps, 'organization' | 'clientAt' | 'onSignedOut'> {
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
