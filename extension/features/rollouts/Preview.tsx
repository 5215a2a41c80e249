import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Patch } from '@repoless/contract/endpoint-parts.ts';
import type { PreviewedSite, RolloutPreview } from '@repoless/contract/rollout.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { problemText } from '@repoless/core/messages/explain-failure.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { createPatch } from 'rfc6902';
import { Badge } from '../../ui/Badge.tsx';
import { Card, Fold } from '../../ui/Card.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { printJson } from '@repoless/core/history/json-values.ts';
import { Notice } from '../../ui/Notice.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { withLabels } from './field-labels.ts';

interface Props {
  readonly preview: RolloutPreview;
  readonly isProfile: boolean;
  readonly children: ReactNode;
}

const nameOf = ({ name }: PreviewedSite): string => name;

export function Preview({ preview, isProfile, children }: Props) {
  const all = useMessages('rollouts');
  const { rollouts } = all;
  const { preview: messages } = rollouts;
  const of = (state: PreviewedSite['state']) => preview.sites.filter((site) => site.state === state);
  const [changed, unchanged, refused] = [of('changed'), of('unchanged'), of('refused')];
  const byKind = useMemo(() => preview.kinds.map((_, kind) => preview.sites.filter((site) => site.kind === kind)), [preview]);
  return (
    <Card id="rp-preview" className="rp-stack-tight rp-preview" level={3} title={messages.title} focusOn={preview}>
      {isProfile && <p>{rollouts.profile.extend({ count: preview.total })}</p>}
      {preview.total === 0 && !isProfile && <p className="rp-quiet">{messages.none}</p>}
      <div className="rp-actions">
        {changed.length > 0 && <Badge tone="info" text={messages.changed({ count: changed.length })} />}
        {unchanged.length > 0 && <Badge tone="neutral" text={messages.unchanged({ count: unchanged.length })} />}
        {refused.length > 0 && <Badge tone="negative" text={messages.refused({ count: refused.length })} />}
      </div>
      {children}
      {refused.length > 0 && (
        <Notice tone="warning" icon={Alert} role="note">
          <p>{messages.refusedText}</p>
          <GrowingList label={messages.refusedList} rows={refused} idOf={nameOf}>
            {({ name, detail = '', ...problem }) => (
              <>
                <span className="rp-strong">{name}</span> {problemText(all, withLabels(rollouts, { ...problem, detail }))}
              </>
            )}
          </GrowingList>
        </Notice>
      )}
      {preview.kinds.map(({ count, example, diff }, kind) => (
        <KindOfDifference key={example} count={count} example={example} diff={diff} sites={byKind[kind] ?? []} isOpen={kind === 0} />
      ))}
      {unchanged.length > 0 && (
        <Fold title={messages.unchangedList({ count: unchanged.length })}>
          {isProfile && <p className="rp-quiet">{messages.unchangedProfile}</p>}
          <GrowingList label={messages.unchangedList({ count: unchanged.length })} rows={unchanged} idOf={nameOf}>
            {({ name }) => <span className="rp-value">{name}</span>}
          </GrowingList>
        </Fold>
      )}
    </Card>
  );
}

interface KindOfDifferenceProps {
  readonly count: number;
  readonly example: string;
  readonly diff: Patch;
  readonly sites: readonly PreviewedSite[];
  readonly isOpen: boolean;
}

/** In pixels; a name of 63 characters takes two lines in a narrow window. */
const ROW = 48;
const HEIGHT = 5 * ROW;

/** Sites with the same differences: one of them described, the others by name. */
function KindOfDifference({ count, example, diff, sites, isOpen }: KindOfDifferenceProps) {
  const { preview } = useMessages('rollouts').rollouts;
  const [shown, setShown] = useState(example);
  const parts = sites.find(({ name }) => name === shown)?.parts;
  const label = preview.at({ site: shown });
  const patch = parts !== undefined ? createPatch(parts.before, parts.after) : shown === example ? diff : undefined;
  const text = printJson(patch ?? []);
  return (
    <Fold title={preview.kind({ count, example })} open={isOpen}>
      <h4>{label}</h4>
      {parts === undefined ? (
        <p className="rp-quiet">{preview.long}</p>
      ) : (
        <ChangeList changes={describeChange(parts.before, parts.after)} label={label} />
      )}
      {patch !== undefined && (
        <Fold title={preview.patch} of={label}>
          <div>
            <CopyButton text={text} label={preview.copyPatch} />
          </div>
          <pre className="rp-patch-value">{text}</pre>
        </Fold>
      )}
      {sites.length > 1 && (
        <Fold title={preview.which({ count })} of={example}>
          <WindowedList label={preview.which({ count })} rows={sites} idOf={({ name }) => name} rowHeight={ROW} height={HEIGHT}>
            {({ name }, tabIndex) => (
              <button
                type="button"
                className="rp-previewed"
                tabIndex={tabIndex}
                aria-pressed={name === shown}
                aria-label={preview.show({ site: name })}
                onClick={() => setShown(name)}
              >
                {name}
              </button>
            )}
          </WindowedList>
        </Fold>
      )}
    </Fold>
  );
}

interface GrowingListProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  readonly children: (row: R) => ReactNode;
}

/** Number of rows rendered at first, and added with each step. */
const STEP = 50;

/** A list of rows of any height; more of them are rendered on request. */
export function GrowingList<R>({ label, rows, idOf, children }: GrowingListProps<R>) {
  const { rollouts: messages } = useMessages('rollouts');
  const [shown, setShown] = useState(STEP);
  const list = useRef<HTMLUListElement>(null);
  const left = rows.length - shown;
  const grow = (): void => {
    setShown(shown + STEP);
    // The button disappears with the last rows.
    if (left <= STEP) list.current?.focus();
  };
  return (
    <>
      <ul className="rp-plain-list rp-growing" aria-label={label} tabIndex={-1} ref={list}>
        {rows.slice(0, shown).map((row) => (
          <li key={idOf(row)}>{children(row)}</li>
        ))}
      </ul>
      {left > 0 && (
        <div className="rp-actions">
          <ActionButton onPress={grow}>{messages.preview.more({ count: Math.min(STEP, left) })}</ActionButton>
        </div>
      )}
    </>
  );
}
