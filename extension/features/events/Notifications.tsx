import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { EventList, OrgEvent } from '@repoless/contract/event.ts';
import { CHECK_IDS, type CheckId, type Drift, DRIFT_FIELDS } from '@repoless/contract/site-check.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { createBuildManagementPort } from '@repoless/core/api/sync-port.ts';
import type { Client } from '@repoless/core/api/client.ts';
import { type EventGroup, type EventsPort, groupEvents } from '@repoless/core/events/events-port.ts';
import { codeText, explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { groupByRepository, type RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { keyOfName } from '@repoless/core/situation/code-choice.ts';
import { useMemo, useState } from 'react';
import { addressWith } from '../../host/address-state.ts';
import { findingAddress, type OrganizationLocation, parametersOf } from '../shell/places.ts';
import { Age, Moment, useNow } from '../../ui/Age.tsx';
import { Explanation, Loading } from '../../ui/Notice.tsx';
import { Fold } from '../../ui/Card.tsx';
import { ReadRefused } from '../../ui/Unread.tsx';
import { AddressLink } from '../../ui/AddressLink.tsx';
import { useList, useMessages } from '../../ui/use-messages.ts';
import { useRepositoryNames } from '../../ui/use-repository-names.ts';
import { Subscriptions } from './Subscriptions.tsx';
import type { Reading } from '../../ui/use-reading.ts';

interface Props {
  readonly port: EventsPort;
  readonly organization: string;
  /** The sites that can be listed: they show which sites a repository serves. */
  readonly sites: readonly SiteListEntry[];
  /** Build management, which knows the names of external repositories. */
  readonly builds?: Client | undefined;
  readonly reading: Reading<Pick<EventList, 'events' | 'unread'>>;
  readonly onReload: () => void;
}

export function Notifications({ port, organization, sites, builds, reading, onReload }: Props) {
  const messages = useMessages('sites');
  const { events } = messages;
  const [failure, setFailure] = useState<Failure>();
  const repositories = useMemo(() => groupByRepository(sites), [sites]);
  const names = useMemo(() => (builds === undefined ? undefined : createBuildManagementPort(builds)), [builds]);
  const nameOf = useRepositoryNames(names, organization, repositories);
  if (reading.state === 'loading') return <Loading text={events.reading} />;
  if (reading.state === 'missing') return <p className="rp-empty">{events.missing}</p>;
  if (reading.state === 'failed') return <ReadRefused title={events.failed} failure={reading.failure} onRetry={onReload} />;
  const { events: all, unread } = reading.value;
  const { open, resolved } = groupEvents(all);
  const markRead = async (): Promise<void> => {
    const answer = await port.read(organization, Math.max(...all.map(({ id }) => id)));
    setFailure(answer.state === 'failed' ? answer.failure : undefined);
    onReload();
  };
  const list = (groups: readonly EventGroup[], label: string) => (
    <ul className="rp-plain-list rp-events" aria-label={label}>
      {groups.map(({ key, events: ofOne }) => (
        <Problem key={key} events={ofOne} repositories={repositories} nameOf={nameOf} />
      ))}
    </ul>
  );
  return (
    <>
      <section className="rp-list" aria-labelledby="rp-events">
        <h2 id="rp-events" className="rp-hidden">
          {events.title}
        </h2>
        <div className="rp-section-head">
          <p className="rp-quiet">{events.text}</p>
          <ActionButton isDisabled={unread === 0} onPress={() => void markRead()}>
            {events.markRead}
          </ActionButton>
        </div>
        {reading.failure !== undefined && <ReadRefused title={events.failed} failure={reading.failure} onRetry={onReload} />}
        {failure !== undefined && <Explanation title={events.markFailed} explained={explainFailure(messages, failure)} />}
        {open.length === 0 ? <p className="rp-empty">{all.length === 0 ? events.empty : events.noneOpen}</p> : list(open, events.title)}
        {resolved.length > 0 && (
          <Fold title={events.resolved({ count: resolved.length })}>{list(resolved, events.resolved({ count: resolved.length }))}</Fold>
        )}
      </section>
      <Subscriptions port={port} organization={organization} />
    </>
  );
}

interface ProblemProps {
  readonly events: EventGroup['events'];
  readonly repositories: readonly RepositoryGroup[];
  readonly nameOf: (group: RepositoryGroup) => string;
}

/** Problems of one cause: what it is, the affected sites, and what to do, once for all of them. */
function Problem({ events: ofOne, repositories, nameOf }: ProblemProps) {
  const { events, drift } = useMessages('sites');
  const { checks } = useMessages('site-check');
  const [event] = ofOne;
  const { kind, open, time, site, repository, ref } = event;
  const about = namedAbout(event, { checks: checks.titles, fields: drift.fields, list: useList() });
  const group = repository === undefined ? undefined : repositories.find(({ key }) => key === keyOfName(repository));
  const repositoryName = group === undefined ? repository?.slice(repository.indexOf(':') + 1) : nameOf(group);
  const subject = repository === undefined ? about : [repositoryName, ref].filter((part) => part !== undefined).join(' · ');
  const count = group?.sites.length ?? ofOne.length;
  const name = hadExpired(event) ? { ...events.kinds, ...events.expired }[kind] : events.kinds[kind];
  const isAlike = ofOne.every(({ detail }) => detail === event.detail);
  return (
    <li className="rp-event">
      <div className="rp-event-head">
        <span className="rp-strong">{[name, subject].filter((part) => part !== undefined).join(': ')}</span>
        <span className="rp-quiet">
          <Age time={time} />
        </span>
      </div>
      {(group !== undefined || count > 1) && <span>{events.sites({ count })}</span>}
      {count === 1 && site !== undefined && <span className="rp-value">{site}</span>}
      {isAlike && <EventDetail event={event} />}
      {open && ofOne.length === 1 && <NextAction event={event} about={about} />}
      {open && ofOne.length > 1 && <p>{events.next[kind]}</p>}
      {ofOne.length > 1 && (
        <Fold title={events.sites({ count })} of={subject ?? name}>
          <ul className="rp-plain-list">
            {ofOne.map((one) => (
              <li key={one.cause}>
                <AddressLink address={eventAddress(one) ?? to({ at: 'organization', place: 'sites' })}>{one.site ?? one.about}</AddressLink>
                {!isAlike && <EventDetail event={one} />}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </li>
  );
}

/** Whether something had already expired when the event was created; expiry is also reported in advance. */
function hadExpired({ phase, detail, time }: OrgEvent): boolean {
  return phase === 'began' && detail !== undefined && Date.parse(detail) <= Date.parse(time);
}

const ENDING: ReadonlySet<OrgEvent['kind']> = new Set<OrgEvent['kind']>(['expires-soon', 'secret-ends', 'certificate-ends']);

/** A sentence of the service, or an expiry time. */
function EventDetail({ event: { kind, phase, detail } }: { readonly event: OrgEvent }) {
  const messages = useMessages('sites');
  const { events } = messages;
  const now = useNow();
  if (detail === undefined) {
    return kind === 'certificate-ends' && phase === 'began' ? <span className="rp-quiet">{events.wrongHost}</span> : null;
  }
  if (!ENDING.has(kind)) {
    return <span className="rp-quiet rp-value">{codeText(messages, detail)}</span>;
  }
  return (
    <span className="rp-quiet">
      {Date.parse(detail) > now.getTime() ? events.ends : events.ended} <Moment time={detail} />
    </span>
  );
}

function NextAction({ event, about }: { readonly event: OrgEvent; readonly about: string | undefined }) {
  const { events } = useMessages('sites');
  const address = eventAddress(event);
  const { kind, site, repository } = event;
  return (
    <span className="rp-actions">
      <span>{events.next[kind]}</span>
      {address !== undefined && (
        <AddressLink address={address}>
          {events.go[kind]}
          <span className="rp-hidden">: {[site ?? repository, about].filter((part) => part !== undefined).join(' ')}</span>
        </AddressLink>
      )}
    </span>
  );
}

/** The address at which to act on an event; undefined if the extension has no place for that. */
function eventAddress({ kind, cause, site, about = '' }: OrgEvent): string | undefined {
  switch (kind) {
    case 'sync-failed':
    case 'sync-silent':
      return to({ at: 'organization', place: 'repositories' });
    case 'check-failed': {
      const check = CHECK_IDS.find((known) => known === about);
      return site === undefined || check === undefined ? undefined : findingAddress(site, check);
    }
    case 'drift':
      return site === undefined ? undefined : to({ at: 'site', place: 'setup', site });
    case 'expires-soon':
      return to(site === undefined ? { at: 'organization', place: 'access' } : { at: 'site', place: 'access', site }, { key: about });
    case 'secret-ends':
      return site === undefined ? undefined : to({ at: 'site', place: 'configuration', site }, { secret: about });
    case 'certificate-ends':
      return site === undefined ? undefined : to({ at: 'site', place: 'health', site });
    case 'rollout-stopped':
      return to({ at: 'organization', place: 'rollouts' }, { rollout: cause.slice(cause.indexOf(':') + 1) });
    default:
      return kind satisfies never;
  }
}

function to(where: OrganizationLocation, more: Readonly<Record<string, string>> = {}): string {
  return addressWith({ ...parametersOf(where), ...more });
}

interface Names {
  readonly checks: Readonly<Record<CheckId, string>>;
  readonly fields: Readonly<Record<Drift['field'], string>>;
  readonly list: ReturnType<typeof useList>;
}

/** The subject of an event in the panel's terms: the service identifies checks and settings by ID. */
function namedAbout({ kind, about }: Pick<OrgEvent, 'kind' | 'about'>, { checks, fields, list }: Names): string | undefined {
  if (about === undefined) return undefined;
  if (kind === 'check-failed') return nameIn(CHECK_IDS, checks, about);
  if (kind !== 'drift') return about;
  return list(about.split(', ').map((field) => nameIn(DRIFT_FIELDS, fields, field)));
}

/** A later version of the service may have more of them. */
function nameIn<K extends string>(known: readonly K[], names: Readonly<Record<K, string>>, id: string): string {
  const key = known.find((one) => one === id);
  return key === undefined ? id : names[key];
}
