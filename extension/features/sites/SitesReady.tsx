import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { AuthoringSettings } from '@repoless/core/situation/situation.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { Client } from '@repoless/core/api/client.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { authorOf, authorsOf } from '@repoless/core/sites/organization-sites.ts';
import type { SiteRow } from '@repoless/core/sites/rows.ts';
import type { TreeContext, TreeNode } from '@repoless/core/sites/tree.ts';
import { type Failure, failureOf, type Known } from '@repoless/core/situation/call.ts';
import { use, useMemo, useState } from 'react';
import { useReading } from '../../ui/use-reading.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { addressWith, goTo } from '../../host/address-state.ts';
import { Shell } from '../shell/Shell.tsx';
import { Access } from '../shell/SiteParts.tsx';
import {
  addressTo,
  isOfPage,
  isOfSite,
  locationIn,
  type OrganizationLocation,
  type OrganizationPlace,
  organizationPlaces,
  sitePlaces,
} from '../shell/places.ts';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { useAddress } from '../../ui/LinkedRows.tsx';
import { useFocusBack } from '../../ui/focus.ts';
import { lazyView } from '../../ui/lazy-component.tsx';
import { ChecksContext, type OpenedEnvironment, RolloutsContext, type RolloutsAccess } from '../../ui/organization-contexts.ts';
import { lastingStorage } from '../../host/storage.ts';
import { storedRuns } from '../rows-run/stored-runs.ts';
import { GlossaryOffered } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useStoredChecks, useStoredStates } from '../../ui/use-stored-checks.ts';
import { useTree } from '../content-tree/use-tree.ts';
import { History } from '../history/History.tsx';
import { useGuarded } from '../../ui/use-guarded.ts';
import { LeaveContext } from '../../ui/LeaveGuard.tsx';
import { ProductionForm } from '../production/ProductionForm.tsx';
import { OtherEnvironment, SitesFlow } from './SitesFlow.tsx';
import { UnreadSites } from './UnreadSites.tsx';

const Notifications = lazyView(async () => (await import('../events/Notifications.tsx')).Notifications);
const Rollouts = lazyView(async () => (await import('../rollouts/Rollouts.tsx')).Rollouts, { parts: ['rollouts'] });
const OrganizationView = lazyView(async () => (await import('../organization/OrganizationView.tsx')).OrganizationView);

const SyncStatus = lazyView(async () => (await import('../sync-status/SyncStatus.tsx')).SyncStatus, { parts: ['sync'] });

/** Milliseconds between readings of the notifications. */
const EVENTS = 30_000;

/** The initial data of the views of many sites, read once. */
export interface InitialReads {
  readonly info: ServiceInfo;
  /** For the page for which the panel was opened. */
  readonly settings: AuthoringSettings;
}

export interface SitesProps {
  readonly ports: SetupPorts;
  /** The ports for another author. */
  readonly portsOf: (author: string) => SetupPorts;
  /** For the configuration service, which stores the checks. */
  readonly client?: Client;
  /** Creates a client for build management at the service's address for it. */
  readonly clientAt?: (address: string) => Client;
  readonly path: string;
  readonly service: string;
  readonly mode: 'framed' | 'stand-alone';
  /** The place for an address that requests none. */
  readonly tab: OrganizationPlace;
  readonly onSignedOut: SignInAgain;
}

interface Props extends SitesProps {
  /** Absent if the service records no events. */
  readonly events: EventsPort | undefined;
  /** Absent if many sites cannot be changed together. */
  readonly rollouts: RolloutsPort | undefined;
  readonly initial: InitialReads;
  readonly organization: string;
  readonly sites: Known<readonly SiteListEntry[]>;
  readonly failure: Failure | undefined;
  readonly onReload: () => Promise<readonly SiteListEntry[] | undefined>;
}

/** The tree of the current environment, or of another one, and the list of all sites. Each stays as it is while the other is shown. */
export function SitesReady(props: Props) {
  const { ports, portsOf, client, clientAt, path, events, rollouts, service, mode, tab, initial, organization } = props;
  const { sites: answer, failure = failureOf(answer), onReload, onSignedOut } = props;
  const messages = useMessages('sites');
  const { info, settings } = initial;
  const sites = answer.state === 'known' ? answer.value : undefined;
  const { buildManagement } = info;
  const builds = useMemo(() => (buildManagement === undefined ? undefined : clientAt?.(buildManagement)), [buildManagement, clientAt]);
  const home = useMemo(() => homeOf(ports, settings), [ports, settings]);
  const [other, setOther] = useState<OpenedEnvironment | 'requested'>();
  const address = useAddress();
  const rootOf = (name: string) => pageOf(sites?.find((site) => site.name === name));
  const requested = offeredOf(locationIn(address, tab));
  const { shown: where, question, onUnsaved } = useGuarded(requested, JSON.stringify(requested), (from) => !isOfSite(requested, from));
  const isSiteRunning = use(LeaveContext)?.isSiteRunning ?? false;
  const shown = where.at === 'organization' ? where.place : undefined;
  const isListShown = shown === 'sites' || where.at === 'site';
  const [isListOpen, setListOpen] = useState(isListShown);
  if (isListShown && !isListOpen) setListOpen(true);
  const [busy, setBusy] = useState(false);
  const [repair, setRepair] = useState<{ readonly nodes: readonly TreeNode[]; readonly requested: number; readonly onEnded: () => void }>();
  const go = (to: OrganizationLocation): void => goTo(addressTo(to));
  const readEvents = useMemo(() => events && (async () => events.list(organization)), [events, organization]);
  const [noted, reloadEvents] = useReading(readEvents, () => EVENTS);
  const unread = noted.state === 'ready' ? noted.value.unread : 0;
  const runs = useMemo(() => storedRuns(lastingStorage(), service, organization), [service, organization]);
  const context = useMemo<TreeContext>(() => ({ author: home.author, organization, info, sites }), [home, organization, info, sites]);
  const otherAuthor = typeof other === 'object' ? other : undefined;
  const otherContext = useMemo<TreeContext>(() => ({ ...context, author: otherAuthor?.author ?? '' }), [context, otherAuthor]);
  const stored = useStoredChecks(use(ChecksContext), organization);
  const tree = useTree(ports, context, settings.page, useStoredStates(stored, sites, home.author));
  const [otherButton, focusOther] = useFocusBack();
  const cancelOther = (): void => {
    setOther(undefined);
    focusOther();
  };
  const [drafts] = useState(() => new Map<string, SiteRow>());
  const shared = { drafts, organization, info, siteName: settings.siteName.value, sites, runs, service, mode, onReload, onBusy: setBusy };
  const rolling = useMemo<RolloutsAccess | undefined>(
    () =>
      rollouts && {
        port: rollouts,
        started: (rollout) => goTo(addressWith({ place: 'rollouts', rollout })),
        list: () => goTo(addressWith({ place: 'rollouts', rollout: '' })),
      },
    [rollouts],
  );
  const root = where.at === 'site' ? rootOf(where.site) : undefined;
  const offered = {
    rollouts: rollouts !== undefined,
    notifications: events !== undefined,
    repositories: client !== undefined && clientAt !== undefined,
    unread,
  };
  const places = where.at === 'site' ? sitePlaces(messages, where, root !== undefined) : organizationPlaces(messages, where, offered);
  const above = {
    name: messages.general.shell.allSites({ organization }),
    ...(isSiteRunning ? {} : { address: addressTo({ at: 'organization', place: 'sites' }) }),
  };
  const author = root?.author ?? (shown === 'tree' && otherAuthor !== undefined ? otherAuthor.author : home.author);
  /** An unavailable place is replaced by the nearest available one. */
  function offeredOf(to: OrganizationLocation): OrganizationLocation {
    if (to.at === 'organization' && to.place === 'rollouts' && rollouts === undefined) return { ...to, place: tab };
    if (to.at === 'organization' && to.place === 'notifications' && events === undefined) return { ...to, place: tab };
    if (to.at === 'site' && isOfPage(to.place) && rootOf(to.site) === undefined) return { ...to, place: 'configuration' };
    return to;
  }
  return (
    <RolloutsContext value={rolling}>
      <Shell
        title={where.at === 'site' ? where.site : organization}
        above={where.at === 'site' ? above : undefined}
        places={places}
        facts={
          root === undefined ? (
            <p className="rp-quiet">{messages.sites.environment({ author })}</p>
          ) : (
            <p className="rp-quiet rp-code">{`${root.author}${root.path}`}</p>
          )
        }
        question={question}
      >
        <GlossaryOffered value>
          <UnreadSites
            sites={shown === 'tree' || shown === 'sites' ? (sites ?? []) : []}
            organization={organization}
            failure={failure}
            onReload={onReload}
            onSignedOut={onSignedOut}
          />
          <div className="rp-stack" hidden={shown !== 'tree'}>
            {other === 'requested' && (
              <ProductionForm
                here={home}
                info={info}
                portsOf={portsOf}
                authors={authorsOf(sites ?? [])}
                onEnvironment={setOther}
                onCancel={cancelOther}
              />
            )}
            {otherAuthor !== undefined && (
              <OtherEnvironment
                {...shared}
                key={otherAuthor.author}
                environment={otherAuthor}
                context={otherContext}
                stored={stored}
                onOtherEnvironment={() => setOther(undefined)}
                onBack={cancelOther}
              />
            )}
            <div className="rp-stack" hidden={other !== undefined}>
              <SitesFlow
                {...shared}
                key={repair?.requested ?? 0}
                started={repair?.nodes}
                onEnded={repair?.onEnded}
                onReturn={() => {
                  setRepair(undefined);
                  go({ at: 'organization', place: 'sites' });
                }}
                environment={home}
                tree={tree}
                onOtherEnvironment={(run) => {
                  const account = run.environments.find(({ author }) => author === run.author)?.technicalAccount ?? '';
                  const { author, page, environments } = run;
                  setOther({ author, page, environments, ports: portsOf(author), technicalAccount: account });
                }}
              >
                <TextButton ref={otherButton} isDisabled={busy} onPress={() => setOther('requested')} text={messages.production.open} />
              </SitesFlow>
            </div>
          </div>
          {shown === 'repositories' && client !== undefined && clientAt !== undefined && (
            <SyncStatus connection={{ client, ports, clientAt }} path={path} organization={organization} onSignedOut={onSignedOut} />
          )}
          {shown === 'access' && (
            <Access
              key={organization}
              service={ports.service}
              subject={{ kind: 'organization', organization }}
              onUnsaved={onUnsaved}
              onChanged={() => void onReload()}
            />
          )}
          {(shown === 'history' || where.at === 'profile') && (
            <History
              key={where.at === 'profile' ? where.profile : ''}
              history={ports.service.history}
              subject={
                where.at === 'profile' ? { kind: 'profile', organization, name: where.profile } : { kind: 'organization', organization }
              }
              onRestored={() => void onReload()}
            />
          )}
          {shown === 'rollouts' && rollouts !== undefined && (
            <div className="rp-stack">
              <Rollouts
                port={rollouts}
                organization={organization}
                opened={address.get('rollout')}
                onOpen={(id) => goTo(addressWith({ place: 'rollouts', rollout: id ?? '' }))}
                onEnded={() => {
                  stored.reload();
                  void onReload();
                }}
              />
            </div>
          )}
          {shown === 'notifications' && events !== undefined && (
            <div className="rp-stack">
              <Notifications
                port={events}
                organization={organization}
                sites={sites ?? []}
                builds={builds}
                reading={noted}
                onReload={reloadEvents}
              />
            </div>
          )}
          {isListOpen && (
            <div className="rp-stack" hidden={!isListShown}>
              <OrganizationView
                home={home}
                where={where}
                onUnsaved={onUnsaved}
                portsOf={portsOf}
                info={info}
                organization={organization}
                sites={sites}
                tree={tree}
                stored={stored}
                service={service}
                clientAt={clientAt}
                isBusy={busy}
                onRepair={(nodes, onEnded) => {
                  setOther(undefined);
                  setRepair((now) => ({ nodes, onEnded, requested: (now?.requested ?? 0) + 1 }));
                  go({ at: 'organization', place: 'tree' });
                }}
                onReload={onReload}
                onSignedOut={onSignedOut}
              />
            </div>
          )}
        </GlossaryOffered>
      </Shell>
    </RolloutsContext>
  );
}

function homeOf(ports: SetupPorts, { author, page, technicalAccount }: InitialReads['settings']): OpenedEnvironment {
  const account = technicalAccount.value;
  const environments = [{ author, ...(account === undefined ? {} : { technicalAccount: account }) }];
  return { author, ports, page, technicalAccount: account ?? '', environments };
}

/** The root page of a site, if its configuration names one. */
function pageOf(site: SiteListEntry | undefined): { readonly author: string; readonly path: string } | undefined {
  const author = site === undefined ? undefined : authorOf(site);
  const path = contentRoot(site?.public?.paths?.mappings ?? []);
  return author === undefined || path === undefined ? undefined : { author, path };
}
