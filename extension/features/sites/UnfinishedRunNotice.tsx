import { Button } from '@adobe/react-spectrum/Button';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import InfoOutline from '@spectrum-icons/workflow/InfoOutline';
import { useMessages } from '../../ui/use-messages.ts';
import type { StoredRun } from '../../ui/stored-run.ts';

interface Props {
  readonly run: StoredRun;
  /** The run is for pages of the environment that is shown. */
  readonly isHere: boolean;
  readonly onGoOn: () => void;
  readonly onReview: () => void;
  readonly onForget: () => void;
}

/** A run that the tab was closed on: to be gone on with, looked at, or forgotten. */
export function UnfinishedRunNotice({ run, isHere, onGoOn, onReview, onForget }: Props) {
  const { applyRows, production } = useMessages('sites');
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const { kept } = applyRows;
  const time = Number.isNaN(Date.parse(run.begun)) ? run.begun : dates.format(new Date(run.begun));
  return (
    <div className="rp-notice rp-notice-info" role="region" aria-label={kept.title}>
      <InfoOutline size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{kept.title}</p>
        <p>{kept.text({ count: run.rows.length, base: run.base, time })}</p>
        {!isHere && <p className="rp-quiet">{production.now({ author: run.author })}</p>}
        <div className="rp-actions">
          {isHere && (
            <Button variant="accent" onPress={onGoOn}>
              {kept.goOn({ count: run.rows.length })}
            </Button>
          )}
          <Button variant="secondary" onPress={onReview}>
            {isHere ? kept.review : production.read}
          </Button>
          <Button variant="secondary" onPress={onForget}>
            {kept.discard}
          </Button>
        </div>
      </div>
    </div>
  );
}
