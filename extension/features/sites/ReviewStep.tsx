import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { fill } from '@repoless/core/messages/format-message.ts';
import { retry } from '@repoless/core/run/retry.ts';
import type { ShownSteps } from '@repoless/core/sites/apply-rows.ts';
import { type OrganizationSite, rootOnAuthor } from '@repoless/core/sites/organization-sites.ts';
import { baseCandidates, batchOf } from '@repoless/core/sites/propose-rows.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { Explanation, Loading } from '../../ui/Notice.tsx';
import type { OpenedEnvironment } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { Review } from './Review.tsx';

export interface Proposed {
  readonly rows: readonly SiteRow[];
  readonly base: string | undefined;
  readonly inherited: string | undefined;
  /** Their sites already exist. */
  readonly isRepair?: true;
  /** The start time of the run that is continued. */
  readonly started?: string;
  /** Rows as edited before, by ID. */
  readonly drafts?: ReadonlyMap<string, SiteRow>;
}

interface Props {
  readonly environment: OpenedEnvironment;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly sites: readonly SiteListEntry[];
  readonly proposed: Proposed;
  readonly back: string;
  /** Called with the edited rows, by ID. */
  readonly onBack: (drafts: ReadonlyMap<string, SiteRow>) => void;
  readonly onApply: (batch: Batch, rows: readonly SiteRow[], base: string, shown: ShownSteps) => void;
}

export function ReviewStep({ environment, organization, info, sites, proposed, back, onBack, onApply }: Props) {
  const messages = useMessages('sites');
  const { review } = messages;
  const [base, setBase] = useState(proposed.base);
  const [rows, setRows] = useState<readonly SiteRow[]>(() => proposed.rows.map((row) => proposed.drafts?.get(row.id) ?? row));
  const edited = editedRows(proposed.rows, rows);
  useUnsavedEntry(edited.size > 0, 'view');
  const goBack = (): void => onBack(edited);
  const isRepair = proposed.isRepair === true;
  const candidates = useMemo(() => baseCandidates(sites), [sites]);
  const { state, reload } = useBatch({ environment, organization, info, base, inherited: proposed.inherited });
  return (
    <Card id="rp-review" title={(isRepair ? review.repair : review).apply({ count: rows.length })} focusOn={proposed}>
      <p>{isRepair ? review.repair.text : review.text}</p>
      {candidates.length === 0 && !isRepair ? (
        <Explanation explained={review.noBase}>
          <TextButton onPress={goBack} text={back} />
        </Explanation>
      ) : (
        !isRepair && (
          <BaseSite candidates={candidates} base={base} batch={state.state === 'ready' ? state.batch : undefined} onChange={setBase} />
        )
      )}
      {(candidates.length > 0 || isRepair) && state.state === 'loading' && <Loading text={review.readingBase} />}
      {(state.state === 'failed' || state.state === 'missing') && (
        <Explanation
          title={review.baseFailed}
          explained={state.state === 'failed' ? explainFailure(messages, state.failure) : fill(review.baseMissing, { site: base ?? '' })}
        >
          <TextButton onPress={reload} text={messages.general.retry} />
          <TextButton onPress={goBack} text={back} />
        </Explanation>
      )}
      {state.state === 'ready' && (
        <Review
          ports={environment.ports}
          batch={state.batch}
          sites={sites}
          rows={rows}
          onRows={setRows}
          isRepair={isRepair}
          back={back}
          onBack={goBack}
          onApply={(ready, shown) => onApply(state.batch, ready, base ?? '', shown)}
        />
      )}
    </Card>
  );
}

/** Rows with an edited cell. Rows that were left out are not recorded: leaving them out again is quick. */
function editedRows(proposed: readonly SiteRow[], rows: readonly SiteRow[]): ReadonlyMap<string, SiteRow> {
  const as = new Set(proposed);
  return new Map(rows.filter((row) => !as.has(row)).map((row) => [row.id, row]));
}

interface BaseSiteProps {
  readonly candidates: readonly OrganizationSite[];
  readonly base: string | undefined;
  readonly batch: Batch | undefined;
  readonly onChange: (base: string) => void;
}

/** The choice of the base site, and its code, which is shown and not changed. */
function BaseSite({ candidates, base, batch, onChange }: BaseSiteProps) {
  const { review } = useMessages('sites');
  const code = batch?.code;
  return (
    <div className="rp-base">
      <Picker
        label={review.base}
        description={review.baseHelp}
        placeholder={review.chooseBase}
        items={candidates}
        selectedKey={base ?? null}
        onSelectionChange={(key) => key !== null && onChange(String(key))}
        width="100%"
      >
        {(site: OrganizationSite) => <Item key={site.name}>{site.name}</Item>}
      </Picker>
      <dl className="rp-addresses">
        <div>
          <dt>{review.code}</dt>
          <dd>
            <code className="rp-value">{code?.source?.url ?? [code?.owner, code?.repo].filter(Boolean).join('/')}</code>
          </dd>
        </div>
        {externalSource(code) !== undefined && <div className="rp-quiet">{review.codeSecret}</div>}
      </dl>
    </div>
  );
}

type BatchState =
  | { readonly state: 'loading' }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly failure: Failure }
  | { readonly state: 'ready'; readonly batch: Batch };

interface BatchQuestion {
  readonly environment: OpenedEnvironment;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly base: string | undefined;
  /** The configuration that the selected pages inherit, if the base site's content is on another author. */
  readonly inherited: string | undefined;
}

/** The common data of rows with this base site, read whenever another base is chosen. */
export function useBatch({ environment, organization, info, base, inherited }: BatchQuestion) {
  const [answer, setAnswer] = useState<{ readonly base: string; readonly state: BatchState }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (base === undefined) return undefined;
    const stopper = new AbortController();
    const { signal } = stopper;
    void readBatch({ environment, organization, info, base, inherited }, base, signal).then((state) => {
      if (!signal.aborted) setAnswer({ base, state });
    });
    return () => stopper.abort();
  }, [environment, organization, info, base, inherited, attempt]);
  const reload = useCallback(() => {
    setAnswer(undefined);
    setAttempt((count) => count + 1);
  }, []);
  const state: BatchState = answer !== undefined && answer.base === base ? answer.state : { state: 'loading' };
  return { state, reload };
}

/** Reads the base site and its configuration in the authoring system. */
async function readBatch(
  { environment, organization, info, inherited }: BatchQuestion,
  base: string,
  signal: AbortSignal,
): Promise<Exclude<BatchState, { state: 'loading' }>> {
  const { author, ports, environments } = environment;
  const retrying = { ports, signal, onWaiting: () => undefined };
  const site = await retry(retrying, () => ports.service.siteConfigurations(organization, base));
  if (site.state !== 'known') return site;
  const root = rootOnAuthor(site.value.config, author);
  const page = root === undefined ? undefined : await retry(retrying, () => ports.authoring.content(root));
  if (page?.state === 'failed') return page;
  const baseConfiguration = (page?.state === 'known' ? page.value.ownConfiguration : undefined) ?? inherited;
  const common = { organization, author, base: site.value.config, info, environments };
  return { state: 'ready', batch: batchOf({ ...common, ...(baseConfiguration === undefined ? {} : { baseConfiguration }) }) };
}
