import { useCallback, useEffect, useState } from 'react';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { retry } from '@repoless/core/run/retry.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { batchOf } from '@repoless/core/sites/propose-rows.ts';
import type { Batch } from '@repoless/core/sites/rows.ts';
import { rootOnAuthor } from '@repoless/core/sites/site-index.ts';
import type { Place } from '../../ui/place.ts';

export type BatchState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly batch: Batch };

interface BatchQuestion {
  readonly place: Place;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly base: string | undefined;
  /** The configuration that the chosen pages inherit, where the base site's content is on another author. */
  readonly inherited: string | undefined;
}

/** What all rows of a base site have in common, read whenever another base is chosen. */
export function useBatch({ place, organization, info, base, inherited }: BatchQuestion) {
  const [answer, setAnswer] = useState<{ readonly base: string; readonly state: BatchState }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (base === undefined) return undefined;
    const stopper = new AbortController();
    const { signal } = stopper;
    void readBatch({ place, organization, info, base, inherited, signal }).then((state) => {
      if (!signal.aborted) setAnswer({ base, state });
    });
    return () => stopper.abort();
  }, [place, organization, info, base, inherited, attempt]);
  const again = useCallback(() => {
    setAnswer(undefined);
    setAttempt((count) => count + 1);
  }, []);
  const state: BatchState = answer !== undefined && answer.base === base ? answer.state : { state: 'loading' };
  return { state, again };
}

/** Reads the base site and its configuration in the authoring system. */
export async function readBatch({
  place,
  organization,
  info,
  base,
  inherited,
  signal,
}: BatchQuestion & { readonly base: string; readonly signal: AbortSignal }): Promise<Exclude<BatchState, { state: 'loading' }>> {
  const { author, ports, environments } = place;
  const patiently = { ports, signal, onWaiting: () => undefined };
  const site = await retry(patiently, () => ports.service.held(organization, base));
  if (site.state !== 'known') return site;
  const root = rootOnAuthor(site.value.config, author);
  const page = root === undefined ? undefined : await retry(patiently, () => ports.authoring.content(root));
  if (page?.state === 'failed') return page;
  const baseConfiguration = (page?.state === 'known' ? page.value.ownConfiguration : undefined) ?? inherited;
  const common = { organization, author, base: site.value.config, info, environments };
  return { state: 'ready', batch: batchOf({ ...common, ...(baseConfiguration === undefined ? {} : { baseConfiguration }) }) };
}
