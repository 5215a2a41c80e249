import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useEffect, useRef, useState } from 'react';
import { findLastChange } from '@repoless/core/history/find-last-change.ts';
import type { SearchedArea } from '@repoless/core/history/find-last-change.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { VersionStore } from '@repoless/core/history/version-store.ts';
import type { VersionRow } from '@repoless/core/history/versions-with-before.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  /** Newest first. */
  readonly versions: readonly VersionRow[];
  readonly store: VersionStore;
  readonly kind: HistorySubject['kind'];
  readonly selected: number | undefined;
  readonly onFound: (version: number) => void;
}

const AREAS: Readonly<Record<HistorySubject['kind'], readonly SearchedArea[]>> = {
  site: ['access', 'mappings'],
  profile: ['access', 'mappings'],
  organization: ['access'],
};

/**
 * Straight to the version that last changed who may do what, or the path mapping; once more: to the change before that. What
 * somebody opened while it was looked for stays open.
 */
export function JumpToChange({ versions, store, kind, selected, onFound }: Props) {
  const history = useMessages('history');
  const [outcome, setOutcome] = useState('');
  const [last, setLast] = useState<{ readonly area: SearchedArea; readonly version: number }>();
  const [running, setRunning] = useState(false);
  const shown = useRef(selected);
  useEffect(() => void (shown.current = selected), [selected]);
  const stopper = useRef<AbortController>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const jump = async (area: SearchedArea): Promise<void> => {
    if (running) return undefined;
    const isFurther = last?.area === area && last.version === selected;
    const numbers = versions.map(({ version }) => version).filter((version) => !isFurther || version < last.version);
    const { signal } = (stopper.current = new AbortController());
    setRunning(true);
    setOutcome(history.jumping);
    const found = await findLastChange(numbers, area, async (version) => (signal.aborted ? { state: 'missing' } : store.load(version)));
    if (signal.aborted) return undefined;
    setRunning(false);
    if (found.state === 'failed') return setOutcome(history.jumpFailed);
    if (found.state === 'none') return setOutcome(history.neverChanged({ area: history.areas[area] }));
    setLast({ area, version: found.version });
    setOutcome(history.jumped({ area: history.areas[area], version: found.version }));
    return shown.current === selected ? onFound(found.version) : undefined;
  };
  return (
    <div className="rp-jump" role="group" aria-label={history.jump}>
      <span className="rp-quiet" aria-hidden="true">
        {history.jump}
      </span>
      {AREAS[kind].map((area) => (
        <ActionButton key={area} onPress={() => void jump(area)}>
          {history.areas[area]}
        </ActionButton>
      ))}
      <span className="rp-quiet" role="status">
        {outcome}
      </span>
    </div>
  );
}
