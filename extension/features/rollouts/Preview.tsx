import Alert from '@spectrum-icons/workflow/Alert';
import { useMemo } from 'react';
import type { PreviewedSite, RolloutPreview } from '@repoless/contract/rollout.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { GrowingList } from './GrowingList.tsx';
import { KindOfDifference } from './KindOfDifference.tsx';

interface Props {
  readonly preview: RolloutPreview;
  readonly isProfile: boolean;
}

const nameOf = ({ name }: PreviewedSite): string => name;

/** What a rollout would do: how many sites change, in which ways, and which are refused. */
export function Preview({ preview, isProfile }: Props) {
  const { rollouts } = useMessages('rollouts');
  const { preview: messages } = rollouts;
  const heading = useFocusOnArrival<HTMLHeadingElement>(preview);
  const of = (state: PreviewedSite['state']) => preview.sites.filter((site) => site.state === state);
  const [changed, unchanged, refused] = [of('changed'), of('unchanged'), of('refused')];
  const byKind = useMemo(() => preview.kinds.map((_, kind) => preview.sites.filter((site) => site.kind === kind)), [preview]);
  return (
    <section className="rp-stack-tight rp-preview" aria-labelledby="rp-preview">
      <h3 id="rp-preview" tabIndex={-1} ref={heading}>
        {messages.title}
      </h3>
      {isProfile && <p>{rollouts.profile.extend({ count: preview.total })}</p>}
      {preview.total === 0 && !isProfile && <p className="rp-quiet">{messages.none}</p>}
      <div className="rp-actions">
        {changed.length > 0 && <Badge tone="info" text={messages.changed({ count: changed.length })} />}
        {unchanged.length > 0 && <Badge tone="neutral" text={messages.unchanged({ count: unchanged.length })} />}
        {refused.length > 0 && <Badge tone="negative" text={messages.refused({ count: refused.length })} />}
      </div>
      {refused.length > 0 && (
        <div className="rp-notice rp-notice-warning" role="note">
          <Alert size="S" UNSAFE_className="rp-notice-icon" />
          <div className="rp-notice-body">
            <p>{messages.refusedText}</p>
            <GrowingList label={messages.refusedList} rows={refused} idOf={nameOf}>
              {({ name, detail }) => (
                <>
                  <span className="rp-strong">{name}</span> {detail}
                </>
              )}
            </GrowingList>
          </div>
        </div>
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
    </section>
  );
}
