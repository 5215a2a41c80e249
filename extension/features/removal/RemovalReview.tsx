import { groupConsequences } from '@repoless/core/access/consequences.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { PlannedRemoval, ReadyRemoval, RemovalBlock } from '@repoless/core/sites/plan-removals.ts';
import { useState } from 'react';
import { RemoveButton, TextInput } from '../../ui/forms.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Consequences } from '../../ui/Consequences.tsx';
import { Announcement, FailureNotice, Status } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { PagedTable } from '../rows-run/PagedTable.tsx';
import { StayingSites } from '../rows-run/planned-rows.tsx';
import { useLeavingOut } from '../rows-run/rows-run.ts';

interface Props {
  readonly planned: readonly PlannedRemoval[];
  readonly onRemove: (planned: readonly PlannedRemoval[]) => void;
  readonly onLeaveOut: (siteName: string) => void;
  readonly onBack: () => void;
}

const TONES = { ready: 'negative', gone: 'neutral' } as const;

/**
 * What is deleted with each site and what happens to its page, before anything is removed. To confirm, the person types the number of
 * sites, or the name of the only one.
 */
export function RemovalReview({ planned, onRemove, onLeaveOut, onBack }: Props) {
  const messages = useMessages('sites');
  const { removal, removals } = messages;
  const [typed, setTyped] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const heading = useFocusOnArrival<HTMLHeadingElement>('planned');
  const [announcement, leave] = useLeavingOut();
  const ready = planned.filter((one) => one.state === 'ready');
  const staying = planned.filter((one) => one.state === 'blocked');
  const untried = ready.find((one) => one.untried !== undefined)?.untried;
  const consequences = groupConsequences(ready.flatMap((one) => one.consequences));
  const [only] = ready.length === 1 ? ready.map(({ former }) => former.siteName) : [];
  const isConfirmed = ready.length > 0 && typed.trim() === (only ?? String(ready.length));
  const problem = only === undefined ? removals.confirmProblem({ many: ready.length }) : removal.confirmProblem({ site: only });
  const confirm = (): void => {
    setSubmitted(true);
    if (isConfirmed) onRemove(planned.filter(({ state }) => state !== 'gone'));
  };
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        {only === undefined ? removals.title({ many: ready.length }) : removal.title({ site: only })}
      </h2>
      <p>{removals.text}</p>
      <p>{removals.stays}</p>
      <StayingSites
        title={ready.length === 0 ? removals.nothing : removals.left({ many: staying.length })}
        sites={staying.map(({ former, block }) => ({
          name: former.siteName,
          cause: block.kind,
          sentence: blockSentence(messages, block),
        }))}
      />
      <PagedTable
        label={removals.label}
        kind="review"
        columns={[
          { title: removals.columns.site },
          { title: removals.columns.goes },
          { title: removals.columns.page, width: 'content' },
          { width: 'actions' },
        ]}
        rows={planned.filter((one) => one.state !== 'blocked')}
      >
        {(one) => (
          <Row
            key={one.former.siteName}
            planned={one}
            onLeaveOut={(pressed) => {
              leave(pressed, removals.leftOut({ site: one.former.siteName }));
              onLeaveOut(one.former.siteName);
            }}
          />
        )}
      </PagedTable>
      <Announcement>{announcement}</Announcement>
      <Status>{ready.length === 0 && staying.length === 0 && removals.nothing}</Status>
      <Consequences consequences={consequences} />
      {untried !== undefined && <FailureNotice title={removals.untried} failure={untried} />}
      {ready.length > 0 && (
        <TextInput
          label={only === undefined ? removals.confirm : removal.confirm}
          value={typed}
          onChange={setTyped}
          onKeyDown={(event) => (event.key === 'Enter' ? confirm() : event.continuePropagation())}
          inputMode={only === undefined ? 'numeric' : 'text'}
          problem={isSubmitted && !isConfirmed ? problem : undefined}
        />
      )}
      <div className="rp-actions">
        <TextButton variant="negative" isDisabled={!isConfirmed} onPress={confirm} text={removals.now({ many: ready.length })} />
        <TextButton onPress={onBack} text={removals.back} />
      </div>
    </>
  );
}

interface RowProps {
  readonly planned: Exclude<PlannedRemoval, { state: 'blocked' }>;
  readonly onLeaveOut: (pressed: Element) => void;
}

function Row({ planned, onLeaveOut }: RowProps) {
  const { removals } = useMessages('sites');
  const { former, state } = planned;
  return (
    <tr>
      <th scope="row">
        <span className="rp-strong">{former.siteName}</span>
        <span className="rp-quiet">{former.contentRoot ?? ''}</span>
        <Badge tone={TONES[state]} text={removals.plans[state]} />
      </th>
      <td data-label={removals.columns.goes}>
        {state === 'ready' && removedWith(removals, planned).map((line) => <span key={line}>{line}</span>)}
      </td>
      <td data-label={removals.columns.page}>{state === 'ready' && <PageOf planned={planned} />}</td>
      <td className="rp-row-actions">
        <RemoveButton label={removals.leaveOut({ site: former.siteName })} onPress={({ target }) => onLeaveOut(target)} />
      </td>
    </tr>
  );
}

function removedWith(removals: ReturnType<typeof useMessages<'sites'>>['removals'], planned: ReadyRemoval): string[] {
  const { productionHost, secrets, apiKeys } = planned;
  return [
    ...(productionHost === undefined ? [] : [removals.productionHost({ host: productionHost })]),
    ...(secrets.length === 0 ? [] : [removals.secrets({ names: few(removals, secrets) })]),
    ...(apiKeys.length === 0 ? [] : [removals.apiKeys({ names: few(removals, apiKeys) })]),
  ];
}

/** What happens to the page; if it would still name a removed site, what to do first. */
function PageOf({ planned: { page } }: { readonly planned: ReadyRemoval }) {
  const { removal, removals } = useMessages('sites');
  if (page === undefined || page.kind === 'none' || page.kind === 'unread') return <span>{removals.pages.none}</span>;
  if (page.kind !== 'kept' || !page.repoless) return <span>{removals.pages[page.kind]({ page: page.page })}</span>;
  return (
    <>
      <span className="rp-row-error">{removal.repoless.sentence({ page: page.page })}</span>
      <span>{removal.repoless.next}</span>
    </>
  );
}

/** Names that are listed before the rest is counted. */
const NAMED = 5;

export function blockSentence(messages: Messages & Pick<MessagesOf<'sites'>, 'removals'>, block: RemovalBlock): string {
  const { removals } = messages;
  switch (block.kind) {
    case 'other-site':
      return removals.otherSite;
    case 'base':
      return removals.base({ names: few(removals, block.sites) });
    case 'holds-secret':
      return removals.holdsSecret({ names: few(removals, block.sites) });
    case 'failed': {
      const { sentence, next } = explainFailure(messages, block.failure);
      return next === undefined ? sentence : `${sentence} ${next}`;
    }
    default:
      return block satisfies never;
  }
}

/** The first names, and the number of the others. */
function few({ more }: Pick<MessagesOf<'sites'>['removals'], 'more'>, names: readonly string[]): string | readonly string[] {
  return names.length <= NAMED ? names : `${names.slice(0, NAMED).join(', ')} ${more({ many: names.length - NAMED })}`;
}
