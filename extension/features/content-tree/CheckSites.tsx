import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { SiteState } from '@repoless/contract/site-check.ts';
import { checkAndStore } from '@repoless/core/overview/stored-checks.ts';
import type { SetupPorts } from '@repoless/core/plan/ports.ts';
import { eachBounded } from '@repoless/core/run/retry.ts';
import type { TreeContext } from '@repoless/core/sites/tree.ts';
import { use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsHere } from '../../ui/use-reading.ts';

interface Props {
  readonly checks: SiteChecks;
  /** The pages at the roots of the sites that are shown. */
  readonly pages: readonly PageOfSite[];
  /** They were chosen by hand. */
  readonly isChoice?: boolean;
}

/** Checks the sites that are shown: only a site that was checked is called set up. */
export function CheckSites({ checks, pages, isChoice = false }: Props) {
  const { check: messages } = useMessages('sites').tree;
  const [running, setRunning] = useState<{ readonly done: number; readonly total: number }>();
  const [outcome, setOutcome] = useState('');
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    stopper.current = controller;
    const total = pages.length;
    setOutcome('');
    setRunning({ done: 0, total });
    const unread = await checks.check(pages, controller.signal, (done) => setRunning({ done, total }));
    setRunning(undefined);
    setOutcome(controller.signal.aborted ? messages.stopped : messages.done({ count: total, unread }));
  };
  return (
    <div className="rp-actions">
      <ActionButton isDisabled={pages.length === 0 || running !== undefined} onPress={() => void start()}>
        {isChoice ? messages.chosen({ count: pages.length }) : messages.now({ count: pages.length })}
      </ActionButton>
      {running !== undefined && (
        <ActionButton isQuiet onPress={() => stopper.current?.abort()}>
          {messages.stop}
        </ActionButton>
      )}
      <span role="status" className="rp-quiet">
        {running === undefined ? outcome : messages.running({ done: running.done, total: running.total })}
      </span>
    </div>
  );
}

/** The states of sites by the page at their root. */
type StatesByPage = ReadonlyMap<string, SiteState>;

/** What checks found: those made here since the sites were read, and those that the service keeps from before. */
export interface CheckedStates {
  readonly own: StatesByPage;
  readonly kept: StatesByPage;
}

/** Sites that are checked at once: each asks about twenty questions. */
const AT_ONCE = 3;
const NOTHING: StatesByPage = new Map();

/** What the service keeps from before, and the way to read it afresh when checks have added to it. */
export interface PreviousStates {
  readonly states: StatesByPage;
  reload(): void;
}

/** The page at the root of a site, and the name that the service has for that. */
interface PageOfSite {
  readonly page: string;
  readonly siteName: string | undefined;
}

export interface SiteChecks {
  readonly checked: CheckedStates;
  /** Checks the sites of pages, some at a time. Out: how many could not be read. */
  check(pages: readonly PageOfSite[], signal: AbortSignal, onChecked: (count: number) => void): Promise<number>;
}

/** Checks sites as their page properties do, and stores the findings. They apply here until the sites are read again. */
export function useSiteChecks(ports: SetupPorts, context: TreeContext, { states: kept, reload }: PreviousStates): SiteChecks {
  const checks = use(ChecksContext);
  const { organization } = context;
  const isHere = useIsHere();
  const [held, setHeld] = useState<{ readonly context: TreeContext; readonly states: StatesByPage }>({ context, states: NOTHING });
  const check = useCallback(
    async (pages: readonly PageOfSite[], signal: AbortSignal, onChecked: (count: number) => void): Promise<number> => {
      let done = 0;
      let unread = 0;
      await eachBounded(pages, AT_ONCE, async ({ page, siteName }) => {
        if (signal.aborted || !isHere()) return;
        const site = siteName === undefined ? undefined : { organization, siteName };
        const answer = await checkAndStore(ports, checks, page, site);
        if (signal.aborted) return;
        if (answer.state === 'known') {
          const { value: state } = answer;
          setHeld((now) => ({ context, states: new Map(now.context === context ? now.states : NOTHING).set(page, state) }));
        } else unread++;
        onChecked(++done);
      });
      if (done > 0 && isHere()) reload();
      return unread;
    },
    [ports, context, checks, organization, reload, isHere],
  );
  const own = held.context === context ? held.states : NOTHING;
  const checked = useMemo(() => ({ own, kept }), [own, kept]);
  return { checked, check };
}
