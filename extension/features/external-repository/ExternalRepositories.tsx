import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { parseAuthorHost } from '@repoless/contract/addresses.ts';
import type { ExternalRepository as Repository, OnboardInput } from '@repoless/contract/build-management.ts';
import { failureOf } from '@repoless/core/situation/call.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';
import type { RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { useCallback, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { BackButton, Card } from '../../ui/Card.tsx';
import { Status } from '../../ui/Notice.tsx';
import { ReadRefused, Unread } from '../../ui/Unread.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useFocusBack, useFocusOnArrival, useFocusRestore } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { useLeaveHere } from '../../ui/use-guarded.ts';
import { type ExternalPorts, ExternalRepository } from './ExternalRepository.tsx';
import { OnboardForm } from './Onboarding.tsx';

interface Props extends ExternalPorts {
  readonly overview: SyncOverview;
  readonly groups: readonly RepositoryGroup[];
  readonly sites: readonly string[];
  /** The number of the open repository, or NEW; the parent stores it. */
  readonly open: string | undefined;
  readonly onOpen: (repository: string | undefined) => void;
  readonly onStored: () => void;
}

/** Stands in for a repository's number to open the form. */
const NEW = 'new';
const ROW = 58;
const HEIGHT = 290;
const REFRESH_EVERY = 15_000;

export function ExternalRepositories({ overview, groups, sites, open, onOpen, onStored, ...ports }: Props) {
  const { builds } = ports;
  const sentences = useMessages('sync');
  const { external, sync: messages } = sentences;
  const { organization } = overview;
  const program = parseAuthorHost(overview.author)?.program ?? '';
  const readAll = useCallback(() => builds.repositories(organization), [builds, organization]);
  const [reading, read] = useReading(readAll, () => REFRESH_EVERY);
  const [left, setLeft] = useState<{ readonly opened: string }>();
  const [newButton, focusNew] = useFocusBack();
  const opened = useFocusOnArrival<HTMLHeadingElement>(open);
  // After the others: used if the element that was left no longer exists, or does not exist yet.
  const heading = useFocusRestore<HTMLHeadingElement>(open === undefined ? left : undefined);
  const close = (): void => {
    if (open !== undefined) setLeft({ opened: open });
    if (open === NEW) focusNew();
    onOpen(undefined);
  };
  const leaveHere = useLeaveHere();
  const onboard = async (input: OnboardInput) => {
    const answer = await builds.onboard(organization, input);
    if (answer.state !== 'known') {
      // It may be in the list nevertheless.
      read();
      return failureOf(answer);
    }
    onOpen(answer.value.repositoryId);
    read();
    return undefined;
  };
  if (open === NEW) return <OnboardForm program={program} onSubmit={onboard} onCancel={close} />;
  if (open !== undefined) {
    return (
      <section className="rp-card" aria-labelledby="rp-external-open">
        <div>
          <BackButton text={messages.back} onPress={() => leaveHere(close)} />
        </div>
        <h2 id="rp-external-open" tabIndex={-1} ref={opened}>
          {nameOf(reading.state === 'ready' ? reading.value.repositories : [], open) ?? external.repository}
        </h2>
        <ExternalRepository
          {...ports}
          key={open}
          overview={overview}
          id={open}
          sites={sites}
          holder={groups.find(({ type, repo }) => type === 'byogit' && repo === open)?.holder}
          onStored={onStored}
          onChanged={read}
        />
      </section>
    );
  }
  const row = reading.state === 'ready' ? reading.value.repositories.find(({ repositoryId }) => repositoryId === left?.opened) : undefined;
  return (
    <Card id="rp-external" title={external.title} heading={heading}>
      <p className="rp-quiet">{external.text}</p>
      {reading.state !== 'ready' && (
        <Unread reading={reading} loading={external.reading} missing={{ sentence: external.notSet }} onRetry={read} messages={sentences} />
      )}
      {reading.state === 'ready' && (
        <>
          {reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={read} messages={sentences} />}
          <Status>
            {reading.value.repositories.length === 0 ? external.empty : external.count({ count: reading.value.repositories.length })}
          </Status>
          {reading.value.repositories.length > 0 && (
            <WindowedList
              label={external.title}
              rows={reading.value.repositories}
              idOf={keyOf}
              rowHeight={ROW}
              height={HEIGHT}
              {...(row === undefined ? {} : { left: keyOf(row) })}
            >
              {(repository, tabIndex) => <Line repository={repository} tabIndex={tabIndex} onOpen={onOpen} />}
            </WindowedList>
          )}
          <div className="rp-actions">
            <TextButton ref={newButton} onPress={() => onOpen(NEW)} text={external.onboard.open} />
          </div>
        </>
      )}
    </Card>
  );
}

interface LineProps extends Pick<Props, 'onOpen'> {
  readonly repository: Repository;
  readonly tabIndex: 0 | -1;
}

function Line({ repository: { name, repositoryId, state, link }, tabIndex, onOpen }: LineProps) {
  const { external } = useMessages('sync');
  const tone = state === 'READY' ? 'positive' : state === 'failed' ? 'negative' : 'yellow';
  return (
    <button type="button" className="rp-row rp-row-repository" tabIndex={tabIndex} onClick={() => onOpen(repositoryId)}>
      <span className="rp-row-name">{name}</span>
      <span className="rp-row-line">
        <span className="rp-quiet">{link === undefined ? external.notLinked : external.linkedTo({ site: link.site })}</span>
        <StatusLight variant={tone} UNSAFE_className="rp-row-light">
          {external.states[state]}
        </StatusLight>
      </span>
    </button>
  );
}

function keyOf({ programId, repositoryId }: Repository): string {
  return repositoryKey({ type: 'byogit', owner: programId, repo: repositoryId });
}

function nameOf(repositories: readonly Repository[], id: string): string | undefined {
  return repositories.find(({ repositoryId }) => repositoryId === id)?.name;
}
