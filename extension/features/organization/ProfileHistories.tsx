import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useCallback } from 'react';
import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import { Card } from '../../ui/Card.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly history: HistoryPort;
  readonly organization: string;
  readonly onHistory: (profile: string) => void;
  readonly onRollOut: ((profile: string) => void) | undefined;
}

/** The profiles that the organization's sites extend, each with its history. Nothing if there are none. */
export function ProfileHistories({ history, organization, onHistory, onRollOut }: Props) {
  const messages = useMessages('sites');
  const read = useCallback(() => history.profiles(organization), [history, organization]);
  const [reading, reload] = useReading(read);
  if (reading.state === 'failed') {
    return (
      <FailureNotice title={messages.history.profilesUnread} failure={reading.failure}>
        <ActionButton onPress={reload}>{messages.general.retry}</ActionButton>
      </FailureNotice>
    );
  }
  if (reading.state !== 'ready' || reading.value.length === 0) return null;
  return (
    <Card id="rp-profiles" title={messages.history.profiles}>
      <ul className="rp-plain-list">
        {reading.value.map((profile) => (
          <li key={profile} className="rp-member">
            <span className="rp-strong rp-value">{profile}</span>
            <span className="rp-actions">
              <ActionButton aria-label={messages.history.openOf({ name: profile })} onPress={() => onHistory(profile)}>
                {messages.history.open}
              </ActionButton>
              {onRollOut !== undefined && (
                <ActionButton aria-label={messages.organization.rollOutOf({ profile })} onPress={() => onRollOut(profile)}>
                  {messages.organization.rollOut}
                </ActionButton>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
