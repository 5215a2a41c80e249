import type { ExternalRepository as Repository, LinkOutcome } from '@repoless/contract/build-management.ts';
import { codeText } from '@repoless/core/messages/explain-failure.ts';
import { endOfDay, isPast } from '@repoless/core/access/credentials.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { type Arrival, arrivalOf } from '@repoless/core/sync/compare-code.ts';
import { createOneClickSite, linkRepository, storeLink } from '@repoless/core/sync/external-repository.ts';
import type { BuildManagementPort, SyncPort } from '@repoless/core/sync/ports.ts';
import type { SyncOverview } from '@repoless/core/sync/read-overview.ts';
import { useCallback, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { useNow } from '../../ui/Age.tsx';
import { Card, Fold } from '../../ui/Card.tsx';
import { FailureNotice, Notice, Status } from '../../ui/Notice.tsx';
import { Facts, TextList } from '../../ui/Facts.tsx';
import { EndField, Once } from '../../ui/Once.tsx';
import { ReadRefused, Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { CreateSite, type LinkFailed, LinkSite } from './CreateSite.tsx';
import { OnboardingSteps } from './Onboarding.tsx';
import { Deliveries, WebhookPanel } from './WebhookPanel.tsx';

export interface ExternalPorts {
  readonly builds: BuildManagementPort;
  readonly sync: Pick<SyncPort, 'setSecret'>;
  readonly setup: Pick<SetupPorts, 'service'>;
}

interface Props extends ExternalPorts {
  readonly overview: SyncOverview;
  /** The repository's number. */
  readonly id: string;
  readonly sites: readonly string[];
  /** The site that holds its secret, if a site uses it. */
  readonly holder: string | undefined;
  /** A site uses the repository now, or holds another secret: the sites must be read again. */
  readonly onStored: () => void;
  /** The repository changed: lists must read it again. */
  readonly onChanged?: () => void;
}

/** Milliseconds between readings of its state during onboarding. */
const ONBOARDING = 1_500;
const DELIVERIES = 5_000;

export function ExternalRepository({ builds, sync, setup, overview, id, sites, holder, onStored, onChanged }: Props) {
  const messages = useMessages('sync');
  const { external } = messages;
  const { organization } = overview;
  const [outcome, setOutcome] = useState<LinkOutcome>();
  const [unlinked, setUnlinked] = useState<LinkFailed>();
  const readRepository = useCallback(() => builds.repository(organization, id), [builds, organization, id]);
  const [reading, read] = useReading(readRepository, isOnItsWay);
  if (reading.state !== 'ready') {
    return <Unread reading={reading} loading={external.reading} missing={external.missing} onRetry={read} messages={messages} />;
  }
  const repository = reading.value;
  const changed = (): void => {
    read();
    onChanged?.();
  };
  const link = async (before: Repository, site: string): Promise<void> => {
    const end = await linkRepository(builds, organization, before, site);
    setUnlinked(end.state === 'failed' ? end : undefined);
    if (end.state === 'linked') setOutcome(end.outcome);
    changed();
  };
  const retry = async (accessToken: string | undefined): Promise<Failure | undefined> => {
    const answer = await builds.retry(organization, id, accessToken);
    changed();
    return failureOf(answer);
  };
  const store = async (linked: LinkOutcome, expires: string | undefined) => {
    const failure = await storeLink({ sync, service: setup.service }, organization, linked, { holder, expires });
    if (failure === undefined && holder === undefined) onStored();
    return failure;
  };
  return (
    <div className="rp-stack">
      {reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={read} messages={messages} />}
      <RepositoryFacts repository={repository} />
      {(repository.state !== 'READY' || repository.challenge !== undefined) && <OnboardingSteps repository={repository} onRetry={retry} />}
      <Card id={`rp-link-${id}`} className="rp-stack-tight" level={3} title={external.link.title}>
        {outcome === undefined ? (
          <LinkSite
            key={repository.link?.site ?? ''}
            repository={repository}
            sites={sites}
            failed={unlinked}
            link={(site) => link(repository, site)}
          />
        ) : (
          <OneTimeSecret outcome={outcome} holder={holder} onStore={store} onDone={() => setOutcome(undefined)} />
        )}
      </Card>
      <Card id={`rp-webhook-${id}`} className="rp-stack-tight" level={3} title={external.webhook.title}>
        <WebhookPanel repository={repository} rotate={() => builds.rotateWebhook(organization, id)} onChanged={read} />
      </Card>
      {repository.state === 'READY' && (
        <Fold title={external.oneClick.title}>
          <CreateSite
            overview={overview}
            create={(input) => createOneClickSite({ builds, service: setup.service }, organization, repository, input, sites)}
            onCreated={() => {
              changed();
              onStored();
            }}
          />
        </Fold>
      )}
      <Fold title={external.deliveries.title} open>
        <LastDeliveries builds={builds} organization={organization} id={id} arrival={arrivalOf(repository)} />
      </Fold>
    </div>
  );
}

function isOnItsWay({ state }: Repository): number | undefined {
  return state === 'added' || state === 'ownership_confirmed' ? ONBOARDING : undefined;
}

export function LastDeliveries({
  builds,
  organization,
  id,
  arrival,
}: Pick<Props, 'builds' | 'id'> & { readonly organization: string; readonly arrival: Arrival }) {
  const messages = useMessages('sync');
  const { external } = messages;
  const readDeliveries = useCallback(() => builds.deliveries(organization, id), [builds, organization, id]);
  const [reading, read] = useReading(readDeliveries, () => DELIVERIES);
  if (reading.state !== 'ready') {
    return <Unread reading={reading} loading={external.reading} missing={external.missing} onRetry={read} messages={messages} />;
  }
  return (
    <>
      {reading.failure !== undefined && <ReadRefused failure={reading.failure} onRetry={read} messages={messages} />}
      <Deliveries
        deliveries={reading.value.deliveries}
        arrival={arrival}
        resend={(delivery) => builds.resend(organization, id, delivery)}
        onChanged={read}
      />
    </>
  );
}

interface OneTimeSecretProps {
  readonly outcome: LinkOutcome;
  /** The site that holds the repository's secret at the service; undefined if no site uses the repository yet. */
  readonly holder: string | undefined;
  /**
   * Stores the secret with the holder, or makes the linked site the first one on the repository, with the expiry date if known. Returns why it was
   * refused.
   */
  readonly onStore: (outcome: LinkOutcome, expires: string | undefined) => Promise<Failure | undefined>;
  readonly onDone: () => void;
}

/** The secret of a new link: shown only once, to be stored immediately or copied. */
function OneTimeSecret({ outcome, holder, onStore, onDone }: OneTimeSecretProps) {
  const messages = useMessages('sync');
  const { secret: texts } = messages.external;
  const [storing, setStoring] = useState<'no' | 'yes' | 'stored' | Failure>('no');
  const now = useNow();
  const [day, setDay] = useState('');
  const isEndWrong = day !== '' && isPast(day, now);
  const linked = outcome.repository.link?.site ?? '';
  const store = async (): Promise<void> => {
    if (isEndWrong) return;
    setStoring('yes');
    setStoring((await onStore(outcome, day === '' ? undefined : endOfDay(day))) ?? 'stored');
  };
  return (
    <Once
      isKept={storing === 'stored'}
      title={texts.title}
      text={texts.text}
      rows={[{ name: texts.value, value: outcome.secret, copy: texts.copy }]}
    >
      {outcome.revoked !== undefined && <p className="rp-quiet">{texts.revoked({ site: outcome.revoked.site })}</p>}
      {storing !== 'stored' && (
        <EndField messages={texts.end} day={day} isWrong={isEndWrong} isDisabled={storing === 'yes'} onChange={setDay} />
      )}
      <div className="rp-actions">
        {storing !== 'stored' && (
          <TextButton
            variant="accent"
            isDisabled={storing === 'yes'}
            onPress={() => void store()}
            text={storing === 'yes' ? texts.storing : holder === undefined ? texts.useFor({ site: linked }) : texts.store({ site: holder })}
          />
        )}
        <TextButton isDisabled={storing === 'yes'} onPress={onDone} text={texts.done} />
      </div>
      <Status>{storing === 'stored' && texts.stored({ site: holder ?? linked })}</Status>
      {typeof storing === 'object' && <FailureNotice messages={messages} failure={storing} hasFields />}
    </Once>
  );
}

/** The identifiers of an external repository, and what of it cannot be served. */
function RepositoryFacts({ repository }: { readonly repository: Repository }) {
  const messages = useMessages('sync');
  const { external } = messages;
  const rows = [
    [external.onboard.name, repository.name],
    [external.cloneUrl, repository.cloneUrl],
    [external.vendor, external.vendors[repository.vendor]],
    [external.program, repository.programId],
    [external.repository, repository.repositoryId],
    ...(repository.commit === undefined ? [] : [[external.commit, repository.commit.slice(0, 10)] as const]),
  ] as const;
  return (
    <>
      <Facts className="rp-facts rp-facts-wide" rows={rows} />
      {repository.warnings.length > 0 && (
        <Notice tone="warning" role="group" label={external.warnings}>
          <TextList texts={repository.warnings.map((warning) => codeText(messages, warning))} />
        </Notice>
      )}
    </>
  );
}
