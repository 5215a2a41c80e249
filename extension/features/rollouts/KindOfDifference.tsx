import { useState } from 'react';
import type { Patch } from '@repoless/contract/history.ts';
import type { PreviewedSite } from '@repoless/contract/rollout.ts';
import { Fold } from '../../ui/Fold.tsx';
import { WindowedList } from '../../ui/WindowedList.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { PatchList } from './PatchList.tsx';

interface Props {
  readonly count: number;
  readonly example: string;
  readonly diff: Patch;
  /** Those that have a difference of this kind. */
  readonly sites: readonly PreviewedSite[];
  readonly isOpen: boolean;
}

/** In pixels; a name of 63 characters takes two lines in a narrow window. */
const ROW = 48;
const HEIGHT = 5 * ROW;

/** Sites whose differences lead to the same places: that of one of them, and the others by name. */
export function KindOfDifference({ count, example, diff, sites, isOpen }: Props) {
  const { preview } = useMessages('rollouts').rollouts;
  const [shown, setShown] = useState(example);
  const own = shown === example ? diff : sites.find(({ name }) => name === shown)?.diff;
  const label = preview.at({ site: shown });
  return (
    <Fold title={preview.kind({ count, example })} open={isOpen}>
      <h4>{label}</h4>
      {own === undefined ? <p className="rp-quiet">{preview.long}</p> : <PatchList patch={own} label={label} />}
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
