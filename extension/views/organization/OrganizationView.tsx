import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useDeferredValue, useMemo, useState } from 'react';
import type { ServiceInfo } from '#contract/service.ts';
import type { SiteListEntry } from '#contract/site.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { Known } from '#extension/setup/situation.ts';
import { readEnvironment } from '#extension/setup/sites/environments.ts';
import type { Environment } from '#extension/setup/sites/environments.ts';
import { organizationSites } from '#extension/setup/sites/organization-sites.ts';
import type { OrganizationSite } from '#extension/setup/sites/organization-sites.ts';
import type { LocaleSite } from '#extension/setup/sites/remove-site.ts';
import { Access } from '../access/Access.tsx';
import { CheckSites } from '../content-tree/CheckSites.tsx';
import type { ContentTree } from '../content-tree/use-tree.ts';
import { gridHeight, gridRoom } from '../grid/grid-window.ts';
import { VirtualGrid } from '../grid/VirtualGrid.tsx';
import { History } from '../history/History.tsx';
import { useHistoryDrawer } from '../history/use-history-drawer.ts';
import { lastingStorage } from '../shared/kept-run.ts';
import type { Place } from '../shared/place.ts';
import { useMessages } from '../messages/use-messages.ts';
import { BringBack } from './BringBack.tsx';
import { CompareSites } from './CompareSites.tsx';
import { MoveView } from './MoveView.tsx';
import { rowsShown, siteRows } from './organization-rows.ts';
import type { SiteFilter } from './organization-rows.ts';
import { ProfileHistories } from './ProfileHistories.tsx';
import { removedSites } from './removed-sites.ts';
import { RemoveSite } from './RemoveSite.tsx';
import { siteColumns } from './site-columns.tsx';
import { SiteDetails } from './SiteDetails.tsx';
import { SiteFilters } from './SiteFilters.tsx';
import { useMove } from './use-move.ts';

interface Props {
  readonly home: Place;
  readonly portsOf: (author: string) => SetupPorts;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly sites: readonly SiteListEntry[];
  /** The tree of the environment at hand, where drift is seen. */
  readonly tree: ContentTree;
  readonly service: string;
  readonly onReload: () => Promise<unknown>;
}

/** All sites of the organization: how they stand to each other, what drifted, and the way to remove one or bring it back. */
export function OrganizationView({ home, portsOf, info, organization, sites, tree, service, onReload }: Props) {
  const messages = useMessages('sites');
  const all = useMemo(() => organizationSites(sites), [sites]);
  const [filter, setFilter] = useState<SiteFilter>({ text: '', kind: 'any', state: 'any', sort: 'name' });
  const shown = useDeferredValue(filter);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  const storage = useMemo(() => removedSites(lastingStorage(), service, organization), [service, organization]);
  const [removed, setRemoved] = useState(() => storage.all());
  const mover = useMove();
  const drawer = useHistoryDrawer();
  const access = useHistoryDrawer();
  const { tree: levels, reader } = tree;
  const { checked } = tree.checks;
  const { author } = home;
  const standings = useMemo(() => siteRows(all, { levels, reader, author, checked }), [all, levels, reader, author, checked]);
  const rows = useMemo(() => rowsShown(standings, shown), [standings, shown]);
  const columns = useMemo(() => siteColumns(messages), [messages]);
  const [name] = selected;
  const chosen = standings.find(({ id }) => id === name);
  const site = chosen?.site;
  const height = gridHeight(screen.availHeight);
  const busy = mover.move.state === 'running';
  const portsFor = (other: string | undefined): SetupPorts => (other === undefined || other === author ? home.ports : portsOf(other));

  const environmentOf = async ({ author: from, contentRoot }: OrganizationSite): Promise<Known<Environment>> =>
    from === undefined || contentRoot === undefined ? { state: 'missing' } : readEnvironment(portsFor(from).authoring, contentRoot, info);
  const move = async (purpose: 'remove' | 'restore', moved: LocaleSite): Promise<void> => {
    const outcome = await mover.start(purpose, portsFor(moved.author), moved);
    if (outcome.outcome !== 'done') return;
    const { siteName, page, cloudConfiguration } = moved;
    const record = { ...(page === undefined ? {} : { page }), ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }) };
    if (purpose === 'remove') storage.add({ siteName, author: moved.author, ...record, at: home.ports.now().toISOString() });
    else storage.forget(siteName);
    setRemoved(storage.all());
    if (purpose === 'remove') setSelected(new Set());
    const level = page?.slice(0, page.lastIndexOf('/'));
    await Promise.all([onReload(), level !== undefined && levels.levels.has(level) ? tree.read([level]) : undefined]);
  };
  const openSite = (siteName: string): void => drawer.open({ kind: 'site', organization, name: siteName });
  /** A site that came back by its history gets its page's own configuration again as well. */
  const restored = async (): Promise<void> => {
    await onReload();
    const { subject } = drawer;
    const record = subject?.kind === 'site' ? removed.find(({ siteName }) => siteName === subject.name) : undefined;
    if (record !== undefined) await move('restore', { organization, ...record });
  };
  const target = (one: OrganizationSite): Pick<LocaleSite, 'organization' | 'siteName' | 'author'> => ({
    organization,
    siteName: one.name,
    author: one.author ?? author,
  });
  return (
    <>
      {drawer.subject !== undefined && (
        <History history={home.ports.service.history} subject={drawer.subject} onClose={drawer.close} onRestored={() => void restored()} />
      )}
      {access.subject !== undefined && (
        <Access
          service={home.ports.service}
          subject={access.subject}
          environment={site === undefined ? undefined : () => environmentOf(site)}
          onClose={access.close}
          onChanged={() => void onReload()}
        />
      )}
      <div className="rp-stack" hidden={drawer.subject !== undefined || access.subject !== undefined}>
        <section className="rp-card" aria-labelledby="rp-all-sites">
          <div className="rp-section-head">
            <h2 id="rp-all-sites">{messages.organization.title}</h2>
            <div className="rp-actions">
              <ActionButton onPress={() => drawer.open({ kind: 'organization', organization })}>
                {messages.history.openOrganization}
              </ActionButton>
              <ActionButton onPress={() => access.open({ kind: 'organization', organization })}>
                {messages.access.openOrganization}
              </ActionButton>
            </div>
            <span className="rp-quiet" role="status">
              {messages.organization.count(rows.length, all.length)}
            </span>
          </div>
          <SiteFilters filter={filter} onChange={setFilter} rows={standings} />
          <div style={{ minHeight: gridRoom(all.length, height) }}>
            {rows.length === 0 ? (
              <p className="rp-empty">{all.length === 0 ? messages.organization.empty : messages.organization.nothingFound}</p>
            ) : (
              <VirtualGrid
                label={messages.organization.label}
                rows={rows}
                columns={columns}
                selection="one"
                selected={selected}
                onSelect={(next) => {
                  setSelected(next);
                  setRemoving(undefined);
                  if (!busy) mover.dismiss();
                }}
                active={active}
                onActive={setActive}
                height={height}
              />
            )}
          </div>
          <CompareSites tree={tree} sites={all} author={author} />
          <CheckSites
            checks={tree.checks}
            pages={rows.flatMap(({ site: one }) => (one.author === author ? (one.contentRoot ?? []) : []))}
          />
        </section>
        <MoveView
          move={mover.move}
          onRetry={() => mover.move.state === 'ended' && void move(mover.move.purpose, mover.move.site)}
          onBring={() => mover.move.state === 'ended' && void move('restore', mover.move.site)}
        />
        {site !== undefined && removing === site.name && !busy && (
          <RemoveSite
            key={site.name}
            site={site}
            authoring={portsFor(site.author).authoring}
            info={info}
            here={author}
            onCancel={() => setRemoving(undefined)}
            onRemove={(page) => {
              setRemoving(undefined);
              void move('remove', { ...target(site), ...page });
            }}
          />
        )}
        {chosen !== undefined && site !== undefined && removing !== site.name && (
          <SiteDetails
            site={site}
            state={chosen.state}
            organization={organization}
            info={info}
            isDisabled={busy}
            onRemove={() => setRemoving(site.name)}
            onHistory={() => openSite(site.name)}
            onAccess={() => access.open({ kind: 'site', organization, name: site.name })}
          />
        )}
        {site === undefined && all.length > 0 && <p className="rp-quiet">{messages.organization.choose}</p>}
        <section className="rp-card">
          <BringBack
            removed={removed}
            isDisabled={busy}
            onHistory={openSite}
            onBring={({ siteName, author: from, page, cloudConfiguration }) =>
              void move('restore', {
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
          onHistory={(name) => drawer.open({ kind: 'profile', organization, name })}
        />
      </div>
    </>
  );
}
