import type { TakenRow, UndoneRow } from '@repoless/core/sites/undo-rows.ts';
import { Fragment } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import type { Place } from '../../ui/organization-contexts.ts';
import type { StoredRun } from './stored-runs.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { UnfinishedNotice } from '../rows-run/RunProgress.tsx';
import { UndoRun } from '../rows-run/UndoRun.tsx';

interface Props {
  readonly kept: readonly { readonly run: StoredRun; readonly taken: readonly TakenRow[] }[];
  readonly place: Place;
  readonly organization: string;
  /** The remaining rows of a run, or its undo, are discarded. */
  readonly onLeave: (run: StoredRun, what: 'rows' | 'undo') => void;
  /** Continues with the remaining rows in their review. */
  readonly onReview: (run: StoredRun) => void;
  /** It is for another environment. */
  readonly onOther: (run: StoredRun) => void;
  readonly onBusy: (isBusy: boolean) => void;
  readonly onUndone: (run: StoredRun, undone: readonly UndoneRow[]) => void;
}

/** Runs during which the tab was closed: the rest of each is continued or discarded, and what it wrote can be undone. */
export function KeptRuns({ kept, place, organization, onLeave, onReview, onOther, onBusy, onUndone }: Props) {
  const messages = useMessages('sites');
  const { kept: texts } = messages.applyRows;
  return kept.map(({ run, taken }) => {
    const isHere = run.author === place.author;
    const isRepair = run.isRepair === true;
    const count = run.rows.length;
    return (
      <Fragment key={`${run.base} ${run.author} ${run.begun}`}>
        {count > 0 && (
          <UnfinishedNotice
            title={texts.title}
            begun={run.begun}
            text={(time) => (isRepair ? texts.repair({ count, time }) : texts.text({ count, base: run.base, time }))}
            more={!isHere && <p className="rp-quiet">{messages.production.now({ author: run.author })}</p>}
            discard={texts.discard}
            onDiscard={() => onLeave(run, 'rows')}
          >
            <TextButton
              variant={isHere ? 'accent' : 'secondary'}
              onPress={() => (isHere ? onReview : onOther)(run)}
              text={isHere ? texts.goOn({ count }) : messages.production.read}
            />
          </UnfinishedNotice>
        )}
        {isHere && (
          <UndoRun
            ports={place.ports}
            batch={{ organization, author: run.author }}
            results={taken}
            past={{ begun: run.begun, isRepair, onDismiss: () => onLeave(run, 'undo') }}
            onBusy={onBusy}
            onUndone={(undone) => onUndone(run, undone)}
          />
        )}
      </Fragment>
    );
  });
}
