import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { checkAndStore } from '@repoless/core/overview/stored-checks.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { authorsOf, type OrganizationSite, organizationSites } from '@repoless/core/sites/organization-sites.ts';
import type { LocaleSite } from '@repoless/core/sites/remove-sites.ts';
import type { TreeNode } from '@repoless/core/sites/tree.ts';
import { use, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { addressWith, goTo } from '../../host/address-state.ts';
import { isOfPage, type OrganizationLocation, parametersOf, type SitePlace } from '../shell/places.ts';
import { Loading } from '../../ui/Notice.tsx';
import type { SignInAgain } from '../../ui/Unread.tsx';
import { ChecksContext, type OpenedEnvironment, RemovalContext, RolloutsContext } from '../../ui/organization-contexts.ts';
import { useDrawer } from '../../ui/use-drawer.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted } from '../../ui/use-reading.ts';
import type { StoredStates } from '../../ui/use-stored-checks.ts';
import { REPAIRED, type Tree } from '../content-tree/use-tree.ts';
import { Changes, EnteredSite, Moves, Removals } from './SiteDrawers.tsx';
import { type Moving, movingOf } from '../move/stored-moves.ts';
import type { Changing } from '../rollouts/ChangeMany.tsx';
import { SiteList, useRepair } from './SiteList.tsx';
import { Cloned, RestoredSite, RestoreSites, useRemovedSites, useRestore } from './RestoreSites.tsx';
import { OpenedSite } from './OpenedSite.tsx';
import { ProfileHistories } from './ProfileHistories.tsx';
import { useSiteFilter } from './SiteTools.tsx';
import { siteRows } from './organization-rows.tsx';
import './overview.css';

interface Props {
  readonly home: OpenedEnvironment;
  /** The location from the address, unless something prevents it. */
  readonly where: OrganizationLocation;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly portsOf: (author: string) => SetupPorts;
  readonly info: ServiceInfo;
  readonly organization: string;
  /** Absent if they could not be read: then there is no list. */
  readonly sites: readonly SiteListEntry[] | undefined;
  readonly tree: Tree;
  readonly stored: StoredStates;
  readonly service: string;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly isBusy: boolean;
  readonly onRepair: (nodes: readonly TreeNode[], onEnded: () => void) => void;
  readonly onReload: () => Promise<unknown>;
  readonly onSignedOut: SignInAgain;
}

export function OrganizationView(props: Props) {
  const { home, where, info, organization, sites, tree, stored, service, isBusy, onReload } = props;
  const messages = useMessages('sites');
  const checks = use(ChecksContext);
  const all = useMemo(() => organizationSites(sites ?? []), [sites]);
  const [{ filter, site: opened }, show] = useSiteFilter();
  const [cloned, setCloned] = useState<{ readonly name: string; readonly source: string }>();
  const { removed, remember, remove } = useRemovedSites(service, organization, home.ports.now);
  const restorer = useRestore();
  const isHere = useIsMounted();
  const rollouts = use(RolloutsContext);
  const change = useDrawer<Changing>();
  const moving = useDrawer<Moving>();
  const removal = useDrawer<readonly OrganizationSite[]>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const clearSelection = (): void => setSelected(new Set());
  const canRemove = use(RemovalContext) !== undefined;
  const { tree: levels, reader } = tree;
  const { checked } = tree.checks;
  const { author } = home;
  const gridRows = useMemo(
    () => siteRows(all, { levels, reader, author, checked, stored: stored.sites }),
    [all, levels, reader, author, checked, stored.sites],
  );
  const chosen = gridRows.find(({ id }) => id === opened);
  const site = chosen?.site;
  const busy = restorer.restoring.state === 'running';
  const portsFor = (other: string | undefined): SetupPorts => (other === undefined || other === author ? home.ports : props.portsOf(other));
  const open = (name: string | undefined): void => {
    show({ site: name });
    setCloned(undefined);
    if (!busy) restorer.dismiss();
  };

  const changed = async (pages: readonly (string | undefined)[]): Promise<void> => {
    stored.reload();
    const above = new Set(pages.flatMap((page) => (page === undefined ? [] : [page.slice(0, page.lastIndexOf('/'))])));
    const shown = [...above].filter((level) => levels.levels.has(level));
    await Promise.all([onReload(), shown.length > 0 && tree.read(shown)]);
  };
  const restore = async (site: LocaleSite): Promise<void> => {
    const outcome = await restorer.start(portsFor(site.author), site);
    if (outcome.outcome !== 'done') return;
    remove([site.siteName]);
    await changed([site.page]);
  };
  const go = (to: OrganizationLocation): void => goTo(addressWith(parametersOf(to)));
  const openSite = (siteName: string, place: SitePlace): void => go({ at: 'site', site: siteName, place });
  /** A site that was restored in its history also gets its page's own configuration again. */
  const restored = async (): Promise<void> => {
    await onReload();
    const record = where.at === 'site' ? removed.find(({ siteName }) => siteName === where.site) : undefined;
    if (record !== undefined) await restore({ organization, ...record });
  };
  const check = async ({ name: siteName, author: from, contentRoot: page }: OrganizationSite): Promise<boolean> => {
    if (page === undefined) return false;
    if (from === author) {
      const { unread, denied } = await tree.checks.check([{ page, siteName }], new AbortController().signal, () => undefined);
      return unread + denied === 0;
    }
    const read = await checkAndStore(portsFor(from), checks, page, { organization, siteName });
    stored.reload();
    return read.state === 'known';
  };
  const created = async (name: string, source: string, isOpen: boolean): Promise<void> => {
    await onReload();
    if (isOpen && isHere()) show({ site: name });
    setCloned({ name, source });
  };
  const review = (nodes: readonly TreeNode[]): void => props.onRepair(nodes, clearSelection);
  const repair = useRepair(tree, author, review);
  const isRepairable = chosen !== undefined && site?.author === author && REPAIRED.has(chosen.state) && site.kind === 'locale';
  const setUp = where.at === 'site' && isOfPage(where.place) ? where.site : undefined;
  const before = useRef<string>(undefined);
  const left = useEffectEvent((name: string): void => {
    void onReload();
    const one = all.find((known) => known.name === name);
    if (one !== undefined) void check(one);
  });
  useEffect(() => {
    if (before.current !== undefined && before.current !== setUp) left(before.current);
    before.current = setUp;
  }, [setUp]);
  // Content below must not jump when the picture appears.
  if (stored.reading.state === 'loading') return <Loading text={messages.sites.reading} />;
  const context = { home, portsFor, organization, info };
  const isCovered = change.subject !== undefined || moving.subject !== undefined || removal.subject !== undefined || where.at === 'site';
  return (
    <>
      <Changes change={change} history={home.ports.service.history} organization={organization} onStarted={clearSelection} />
      {where.at === 'site' && (
        <EnteredSite
          {...props}
          key={where.site}
          where={where}
          isMissing={sites !== undefined && !all.some(({ name }) => name === where.site)}
          site={all.find(({ name }) => name === where.site)}
          service={home.ports.service}
          serviceAddress={service}
          portsFor={portsFor}
          onRestored={() => void restored()}
          onChanged={() => void onReload()}
        />
      )}
      <Moves
        moving={moving}
        isCovered={isCovered}
        {...context}
        authors={authorsOf(sites ?? [])}
        service={service}
        onMoved={() => {
          clearSelection();
          stored.reload();
          void onReload();
        }}
      />
      <Removals
        removing={removal}
        {...context}
        sites={sites ?? []}
        onRemoved={(removed) => {
          remember(removed);
          if (removed.some(({ siteName }) => siteName === opened)) show({ site: undefined });
          clearSelection();
          void changed(removed.map(({ page }) => page));
        }}
        onRestored={(back) => {
          remove(back.map(({ siteName }) => siteName));
          void changed(back.map(({ page }) => page));
        }}
      />
      <div className="rp-stack" hidden={isCovered || sites === undefined}>
        <div className={site === undefined ? 'rp-stack' : 'rp-beside'}>
          <SiteList
            author={author}
            info={info}
            organization={organization}
            sites={all}
            gridRows={gridRows}
            tree={tree}
            stored={stored}
            filter={filter}
            onFilter={(next) => show({ filter: next })}
            opened={site?.name}
            onOpen={open}
            onRepair={review}
            onEdit={rollouts === undefined ? undefined : (some) => change.open({ kind: 'sites', sites: some })}
            onMove={(some) => moving.open(movingOf(some, author))}
            onRemove={canRemove ? removal.open : undefined}
            isBusy={isBusy}
            chosen={selected}
            onSelect={setSelected}
          />
          {chosen !== undefined && site !== undefined && (
            <OpenedSite
              key={site.name}
              row={chosen}
              organization={organization}
              info={info}
              service={home.ports.service}
              authoring={portsFor(site.author).authoring}
              isMoving={busy}
              isKept={stored.reading.state !== 'missing'}
              repair={isRepairable && !isBusy ? repair : undefined}
              onPlace={(place) => openSite(site.name, place)}
              onCheck={() => check(site)}
              onCreated={(name, isOpen) => void created(name, site.name, isOpen)}
              onRemove={canRemove ? () => removal.open([site]) : undefined}
              onClose={() => open(undefined)}
            />
          )}
        </div>
        {cloned !== undefined && <Cloned {...cloned} />}
        <RestoredSite restoring={restorer.restoring} onRetry={(site) => void restore(site)} />
        <section className="rp-card">
          <RestoreSites
            removed={removed}
            isDisabled={busy}
            onHistory={(name) => openSite(name, 'history')}
            onBring={({ siteName, author: from, page, cloudConfiguration }) =>
              void restore({
                organization,
                siteName,
                author: from ?? author,
                ...(page === undefined ? {} : { page }),
                ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }),
              })
            }
          />
        </section>
        <ProfileHistories
          history={home.ports.service.history}
          organization={organization}
          onHistory={(profile) => go({ at: 'profile', profile })}
          onRollOut={rollouts === undefined ? undefined : (profile) => change.open({ kind: 'profile', profile })}
        />
      </div>
    </>
  );
}
