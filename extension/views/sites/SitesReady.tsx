import { ActionGroup, Item } from '@adobe/react-spectrum/ActionGroup';
import { Button } from '@adobe/react-spectrum/Button';
import { lazy, Suspense, use, useMemo, useState } from 'react';
import type { SiteListEntry } from '#contract/site.ts';
import type { Client } from '#extension/api/client.ts';
import type { EventsPort } from '#extension/setup/events/events-port.ts';
import type { RolloutsPort } from '#extension/setup/rollouts/rollouts-port.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { TreeContext, TreeNode } from '#extension/setup/sites/tree.ts';
import type { Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { useTree } from '../content-tree/use-tree.ts';
import { NO_EVENTS, useEvents } from '../events/use-events.ts';
import { keepInAddress, readAddress } from '../../host/address-state.ts';
import { ProductionForm } from '../production/ProductionForm.tsx';
import { ChecksContext } from '../shared/checks-context.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { RolloutsContext } from '../shared/rollouts-context.ts';
import type { RolloutsPlace } from '../shared/rollouts-context.ts';
import { useKeptChecks, useKeptStates } from '../shared/use-kept-checks.ts';
import { Loading } from '../shared/Loading.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { GlossaryOffered, useGlossary } from '../shared/use-glossary.tsx';
import { keptRuns, lastingStorage } from '../shared/kept-run.ts';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { OtherPlace } from './OtherPlace.tsx';
import type { Place } from '../shared/place.ts';
import { PlaceFlow } from './PlaceFlow.tsx';
import type { Beginning } from './use-sites.ts';

const Notifications = lazy(async () => ({ default: (await import('../events/Notifications.tsx')).Notifications }));
const Rollouts = lazy(async () => ({ default: (await import('../rollouts/Rollouts.tsx')).Rollouts }));
const OrganizationView = lazy(async () => ({ default: (await import('../organization/OrganizationView.tsx')).OrganizationView }));

const TABS = ['tree', 'organization', 'rollouts', 'events'] as const;
export type SitesTab = (typeof TABS)[number];

interface Props {
  readonly ports: SetupPorts;
  /** The same for another author. */
  readonly portsOf: (author: string) => SetupPorts;
  readonly clientAt: ((address: string) => Client) | undefined;
  /** Absent where the service records no events. */
  readonly events: EventsPort | undefined;
  /** Absent where nobody changes many sites together. */
  readonly rollouts: RolloutsPort | undefined;
  readonly service: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly tab: SitesTab;
  readonly beginning: Beginning;
  readonly organization: string;
  readonly sites: Known<readonly SiteListEntry[]>;
  readonly onReload: () => Promise<readonly SiteListEntry[] | undefined>;
  readonly onSignedOut: SignInAgain;
}

/** The tree of the environment at hand, or of another one, and the list of all sites. Both stay as they are when the other is looked at. */
export function SitesReady(props: Props) {
  const {
    ports,
    portsOf,
    clientAt,
    events,
    rollouts,
    service,
    mode,
    tab,
    beginning,
    organization,
    sites: answer,
    onReload,
    onSignedOut,
  } = props;
  const messages = useMessages('sites');
  const { info, settings } = beginning;
  const sites = answer.state === 'known' ? answer.value : undefined;
  const home = useMemo(() => homeOf(ports, settings), [ports, settings]);
  const [other, setOther] = useState<Place | 'asked'>();
  const [rollout, setRollout] = useState(() => readAddress(location.hash).get('rollout'));
  const [shown, setShown] = useState<SitesTab>(rollouts !== undefined && rollout !== undefined ? 'rollouts' : tab);
  const [visited, setVisited] = useState(tab === 'organization');
  const [busy, setBusy] = useState(false);
  const [repair, setRepair] = useState<{ readonly nodes: readonly TreeNode[]; readonly asked: number }>();
  const glossary = useGlossary();
  const openRollout = (id: string | undefined): void => {
    setRollout(id);
    keepInAddress({ rollout: id ?? '' });
  };
  const noted = useEvents(events ?? NO_EVENTS, organization);
  const unread = noted.reading.state === 'ready' ? noted.reading.value.unread : 0;
  const runs = useMemo(() => keptRuns(lastingStorage(), service, organization), [service, organization]);
  const context = useMemo<TreeContext>(() => ({ author: home.author, organization, info, sites }), [home, organization, info, sites]);
  const away = typeof other === 'object' ? other : undefined;
  const awayContext = useMemo<TreeContext>(() => ({ ...context, author: away?.author ?? '' }), [context, away]);
  const kept = useKeptChecks(use(ChecksContext), organization);
  const tree = useTree(ports, context, settings.page, useKeptStates(kept, sites, home.author));
  const shared = { organization, info, siteName: settings.siteName.value, sites, runs, service, mode, onReload, onBusy: setBusy };
  const place = useMemo<RolloutsPlace | undefined>(
    () =>
      rollouts && {
        port: rollouts,
        started: (id) => {
          setRollout(id);
          keepInAddress({ rollout: id });
          setShown('rollouts');
        },
      },
    [rollouts],
  );
  return (
    <RolloutsContext value={place}>
      <header className="rp-header">
        <div className="rp-header-text">
          <p className="rp-eyebrow">{messages.sites.eyebrow(organization)}</p>
          {/* The host's dialog has a title of its own. */}
          <h1 className={mode === 'framed' ? 'rp-hidden' : undefined}>{messages.sites.title}</h1>
          <p className="rp-quiet">{messages.sites.environment(shown === 'tree' && away !== undefined ? away.author : home.author)}</p>
        </div>
        <div className="rp-actions">
          <ActionGroup
            aria-label={messages.sites.tabs.label}
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[shown]}
            onSelectionChange={(keys) => {
              const next = TABS.find((one) => keys !== 'all' && keys.has(one)) ?? 'tree';
              setShown(next);
              if (next === 'organization') setVisited(true);
              keepInAddress({ rollout: next === 'rollouts' ? (rollout ?? '') : '' });
            }}
          >
            <Item key="tree">{messages.sites.tabs.tree}</Item>
            <Item key="organization">{messages.sites.tabs.organization}</Item>
            {rollouts === undefined ? null : <Item key="rollouts">{messages.sites.tabs.rollouts}</Item>}
            <Item key="events">{unread === 0 ? messages.events.tab : messages.events.tabUnread(unread)}</Item>
          </ActionGroup>
          {glossary.button}
        </div>
      </header>
      {glossary.text}
      {answer.state !== 'known' && (
        <Explanation
          title={messages.tree.sitesUnread}
          explained={explainFailure(messages, answer.state === 'failed' ? answer.failure : { kind: 'refused', status: 404 })}
        >
          <Button variant="secondary" onPress={() => void onReload()}>
            {messages.general.retry}
          </Button>
        </Explanation>
      )}
      <div className="rp-stack" hidden={shown !== 'tree'}>
        {other === 'asked' && (
          <ProductionForm here={home} info={info} portsOf={portsOf} onPlace={setOther} onCancel={() => setOther(undefined)} />
        )}
        {away !== undefined && (
          <OtherPlace
            {...shared}
            key={away.author}
            place={away}
            context={awayContext}
            kept={kept}
            onOther={() => setOther(undefined)}
            onBack={() => setOther(undefined)}
          />
        )}
        <div className="rp-stack" hidden={other !== undefined}>
          <PlaceFlow
            {...shared}
            key={repair?.asked ?? 0}
            begun={repair?.nodes}
            place={home}
            tree={tree}
            onOther={(run) => {
              const account = run.environments.find(({ author }) => author === run.author)?.technicalAccount ?? '';
              const { author, page, environments } = run;
              setOther({ author, page, environments, ports: portsOf(author), technicalAccount: account });
            }}
          >
            <Button variant="secondary" isDisabled={busy} onPress={() => setOther('asked')}>
              {messages.production.open}
            </Button>
          </PlaceFlow>
        </div>
      </div>
      {shown === 'rollouts' && rollouts !== undefined && (
        <div className="rp-stack">
          <Suspense fallback={<Loading text={messages.general.loading} />}>
            <Rollouts
              port={rollouts}
              organization={organization}
              opened={rollout}
              onOpen={openRollout}
              onEnded={() => {
                kept.reload();
                void onReload();
              }}
            />
          </Suspense>
        </div>
      )}
      {shown === 'events' && (
        <div className="rp-stack">
          <Suspense fallback={<Loading text={messages.general.loading} />}>
            <Notifications port={events ?? NO_EVENTS} organization={organization} events={noted} />
          </Suspense>
        </div>
      )}
      {visited && (
        <div className="rp-stack" hidden={shown !== 'organization'}>
          <Suspense fallback={<Loading text={messages.general.loading} />}>
            <GlossaryOffered value>
              <OrganizationView
                home={home}
                portsOf={portsOf}
                info={info}
                organization={organization}
                sites={sites ?? []}
                tree={tree}
                kept={kept}
                service={service}
                clientAt={clientAt}
                isBusy={busy}
                onRepair={(nodes) => {
                  setOther(undefined);
                  setRepair((now) => ({ nodes, asked: (now?.asked ?? 0) + 1 }));
                  setShown('tree');
                }}
                onReload={onReload}
                onSignedOut={onSignedOut}
              />
            </GlossaryOffered>
          </Suspense>
        </div>
      )}
    </RolloutsContext>
  );
}

function homeOf(ports: SetupPorts, { author, page, technicalAccount }: Beginning['settings']): Place {
  const account = technicalAccount.value;
  const environments = [{ author, ...(account === undefined ? {} : { technicalAccount: account }) }];
  return { author, ports, page, technicalAccount: account ?? '', environments };
}
