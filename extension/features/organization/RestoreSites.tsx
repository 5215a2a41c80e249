import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { TextField } from '@adobe/react-spectrum/TextField';
import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useState } from 'react';
import { SiteName } from '@repoless/contract/names.ts';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { RemovedSite } from './removed-sites.ts';

interface Props {
  readonly removed: readonly RemovedSite[];
  readonly isDisabled: boolean;
  readonly onHistory: (siteName: string) => void;
  readonly onBring: (site: Pick<RemovedSite, 'siteName'> & Partial<RemovedSite>) => void;
}

/** The sites that were removed here, and any other by its name, to be brought back. */
export function RestoreSites({ removed, isDisabled, onHistory, onBring }: Props) {
  const { removal, history } = useMessages('sites');
  const dates = useDateFormatter({ dateStyle: 'long', timeStyle: 'short' });
  const [name, setName] = useState('');
  const isValidName = SiteName.safeParse(name.trim()).success;
  return (
    <Fold title={removal.bringTitle}>
      <p className="rp-quiet">{removal.bringText}</p>
      <ul className="rp-plain-list">
        {removed.map((site) => (
          <li key={site.siteName} className="rp-member">
            <span>
              <span className="rp-strong">{site.siteName}</span>{' '}
              <span className="rp-quiet">{removal.removedOn({ time: printTime(dates, site.at) })}</span>
            </span>
            <span className="rp-actions">
              <ActionButton aria-label={history.openOf({ name: site.siteName })} onPress={() => onHistory(site.siteName)}>
                {history.open}
              </ActionButton>
              <Button
                variant="secondary"
                isDisabled={isDisabled}
                aria-label={removal.bringOf({ site: site.siteName })}
                onPress={() => onBring(site)}
              >
                {removal.bring}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div className="rp-member-add">
        <TextField
          label={removal.bringName}
          value={name}
          onChange={setName}
          width="100%"
          autoComplete="off"
          {...(name !== '' && !isValidName ? { validationState: 'invalid' as const, errorMessage: removal.nameProblem } : {})}
        />
        <div className="rp-actions">
          <Button variant="secondary" isDisabled={isDisabled || !isValidName} onPress={() => onBring({ siteName: name.trim() })}>
            {removal.bring}
          </Button>
          <ActionButton isDisabled={!isValidName} onPress={() => onHistory(name.trim())}>
            {history.open}
          </ActionButton>
        </div>
      </div>
    </Fold>
  );
}

function printTime(dates: { format(date: Date): string }, at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? at : dates.format(time);
}
