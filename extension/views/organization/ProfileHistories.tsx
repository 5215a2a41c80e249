import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useCallback } from 'react';
import type { HistoryPort } from '#extension/setup/history/history-port.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useReading } from '../shared/use-reading.ts';
import { useSitesWords } from '../sites/use-sites-words.ts';

interface Props {
  readonly history: HistoryPort;
  readonly organization: string;
  readonly onHistory: (profile: string) => void;
}

const WHEN_ASKED = () => undefined;

/** The profiles that sites of the organization extend, each with its history. Nothing where there are none. */
export function ProfileHistories({ history, organization, onHistory }: Props) {
  const words = useSitesWords();
  const read = useCallback(() => history.profiles(organization), [history, organization]);
  const [reading, again] = useReading(read, WHEN_ASKED);
  if (reading.state === 'failed') {
    return (
      <Explanation title={words.history.profilesUnread} explained={explainFailure(words, reading.failure)}>
        <ActionButton onPress={again}>{words.general.retry}</ActionButton>
      </Explanation>
    );
  }
  if (reading.state !== 'ready' || reading.value.length === 0) return null;
  return (
    <section className="rp-card" aria-labelledby="rp-profiles">
      <h2 id="rp-profiles">{words.history.profiles}</h2>
      <ul className="rp-plain-list">
        {reading.value.map((profile) => (
          <li key={profile} className="rp-member">
            <span className="rp-strong rp-value">{profile}</span>
            <ActionButton aria-label={words.history.openOf(profile)} onPress={() => onHistory(profile)}>
              {words.history.open}
            </ActionButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
