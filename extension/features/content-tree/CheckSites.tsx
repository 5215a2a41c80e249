import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { checkAndStore } from '@repoless/core/overview/stored-checks.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { mapConcurrently } from '@repoless/core/run/retry.ts';
import type { TreeContext } from '@repoless/core/sites/tree.ts';
import { deniedBy } from '@repoless/core/checks/caller-permissions.ts';
import { type Failure, failureOf, isUncertain } from '@repoless/core/situation/call.ts';
import { use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted, useStopper } from '../../ui/use-reading.ts';
import type { StoredStates, useStoredStates } from '../../ui/use-stored-checks.ts';

interface Props {
  readonly checks: SiteChecks;
  /** The root pages of the displayed sites. */
  readonly pages: readonly PageOfSite[];
  /** They were selected by hand. */
  readonly isChoice?: boolean;
  /** The service's checks of all sites, which run at the same time; absent if they are not available here. */
  readonly stored?: StoredStates;
}

type ServiceCheck =
  | { readonly state: 'none' | 'started' }
  | { readonly state: 'refused'; readonly failure: Failure }
  /** It may have started. */
  | { readonly state: 'lost'; readonly failure: Failure };

/** The check of sites: with the authoring system those that are displayed, and by the service all of them, unless some were selected. */
export function CheckSites({ checks, pages, isChoice = false, stored }: Props) {
  const all = useMessages('sites');
  const { check: messages } = all.tree;
  const [running, setRunning] = useState<{ readonly done: number; readonly total: number }>();
  const [outcome, setOutcome] = useState('');
  const [service, setService] = useState<ServiceCheck>({ state: 'none' });
  const stopper = useStopper();
  const byService = stored?.reading.state === 'ready' ? stored.reading.value.running : undefined;
  if (service.state === 'lost' && byService !== undefined) setService({ state: 'started' });
  const startService = async ({ start }: StoredStates): Promise<void> => {
    const started = await start();
    const failure = started.state === 'known' ? undefined : failureOf(started);
    // Without permission to start the service's check, the displayed sites are still checked.
    if (failure === undefined || failure.problem?.code === 'NOT_AUTHORIZED') return setService({ state: 'started' });
    setService({ state: isUncertain(failure) ? 'lost' : 'refused', failure });
  };
  const start = async (): Promise<void> => {
    const signal = stopper.start();
    const total = pages.length;
    setOutcome('');
    setService({ state: 'none' });
    if (stored?.reading.state === 'ready' && !isChoice) void startService(stored);
    if (total === 0) return;
    setRunning({ done: 0, total });
    const { unread, denied } = await checks.check(pages, signal, (done) => setRunning({ done, total }));
    setRunning(undefined);
    setOutcome(signal.aborted ? messages.stopped : messages.done({ count: total - denied, unread, denied }));
  };
  const lines = [
    running === undefined ? outcome : messages.running({ done: running.done, total: running.total }),
    byService === undefined ? '' : all.overview.check.running({ done: byService.done, total: byService.total }),
  ];
  return (
    <div className="rp-actions">
      <ActionButton
        isDisabled={(pages.length === 0 && stored?.reading.state !== 'ready') || running !== undefined}
        onPress={() => void start()}
      >
        {isChoice ? messages.chosen({ count: pages.length }) : messages.now}
      </ActionButton>
      {running !== undefined && (
        <ActionButton isQuiet onPress={stopper.stop}>
          {messages.stop}
        </ActionButton>
      )}
      <Status as="span">{lines.filter(Boolean).join(' ')}</Status>
      {stored?.reading.state === 'missing' && (
        <p className="rp-quiet">
          {all.overview.unkept.sentence} {all.overview.unkept.next}
        </p>
      )}
      {stored?.reading.state === 'failed' && <FailureNotice title={all.overview.failed} failure={stored.reading.failure} />}
      {(service.state === 'refused' || service.state === 'lost') && (
        <FailureNotice title={all.overview.check[service.state]} failure={service.failure} />
      )}
    </div>
  );
}

type StatesByPage = ReadonlyMap<string, SiteState>;

/** What checks found: those made here since the sites were read, and those stored by the service before. */
export interface CheckedStates {
  readonly own: StatesByPage;
  readonly stored: StatesByPage;
}

/** Sites that are checked concurrently: each takes about twenty requests. */
const AT_ONCE = 3;
const NOTHING: StatesByPage = new Map();

/** What the service stored before, and a function to read it again after new checks. */
export type PreviousStates = ReturnType<typeof useStoredStates>;

interface PageOfSite {
  readonly page: string;
  readonly siteName: string | undefined;
}

interface Unread {
  readonly unread: number;
  readonly denied: number;
}

export interface SiteChecks {
  readonly checked: CheckedStates;
  /** Checks the sites of pages, some concurrently. Returns how many could not be read, and how many this person may not read. */
  check(pages: readonly PageOfSite[], signal: AbortSignal, onChecked: (count: number) => void): Promise<Unread>;
}

/**
 * Checks sites like their page properties do, and stores the findings. They apply here until the sites, or what the service stores, are
 * read again.
 */
export function useSiteChecks(ports: SetupPorts, context: TreeContext, { states: stored, reload }: PreviousStates): SiteChecks {
  const checks = use(ChecksContext);
  const { organization } = context;
  const isHere = useIsMounted();
  const [found, setChecked] = useState<{ readonly of: unknown; readonly states: StatesByPage }>({ of: undefined, states: NOTHING });
  const of = useMemo(() => ({ context, stored }), [context, stored]);
  const latest = useRef(of);
  useEffect(() => {
    latest.current = of;
  }, [of]);
  const check = useCallback(
    async (pages: readonly PageOfSite[], signal: AbortSignal, onChecked: (count: number) => void): Promise<Unread> => {
      let done = 0;
      let [unread, denied] = [0, 0];
      await mapConcurrently(pages, AT_ONCE, async ({ page, siteName }) => {
        if (signal.aborted || !isHere()) return;
        const site = siteName === undefined ? undefined : { organization, siteName };
        const answer = await checkAndStore(ports, checks, page, site);
        if (signal.aborted) return;
        if (answer.state === 'known') {
          const { value: state } = answer;
          const reading = latest.current;
          setChecked((now) => ({ of: reading, states: new Map(now.of === reading ? now.states : NOTHING).set(page, state) }));
        } else if (answer.state === 'failed' && deniedBy(answer.failure) !== undefined) denied++;
        else unread++;
        onChecked(++done);
      });
      if (done > 0 && isHere()) reload();
      return { unread, denied };
    },
    [ports, checks, organization, reload, isHere],
  );
  const own = found.of === of ? found.states : NOTHING;
  const checked = useMemo(() => ({ own, stored }), [own, stored]);
  return { checked, check };
}
