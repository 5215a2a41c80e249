import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import type { PageOfSite, SiteChecks } from './use-site-checks.ts';

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
