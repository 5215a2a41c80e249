import { Button } from '@adobe/react-spectrum/Button';
import type { LinkOutcome } from '@repoless/contract/build-management.ts';
import { endOfDay, isOver } from '@repoless/core/configuration/secrets.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { useState } from 'react';
import { useNow } from '../../ui/Age.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { EndField, Once } from '../../ui/Once.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly outcome: LinkOutcome;
  /** The site that holds the repository's secret in the service; undefined where no site uses the repository yet. */
  readonly holder: string | undefined;
  /** Stores the secret with the holder, or makes the linked site the first one on the repository, with its end where that is known. Out: why it was refused. */
  readonly onStore: (outcome: LinkOutcome, expires: string | undefined) => Promise<Failure | undefined>;
  readonly onDone: () => void;
}

/** The secret that a link made: shown this once, to be stored at once or copied. */
export function OneTimeSecret({ outcome, holder, onStore, onDone }: Props) {
  const messages = useMessages('sync');
  const { secret: texts } = messages.external;
  const [storing, setStoring] = useState<'no' | 'yes' | 'stored' | Failure>('no');
  const now = useNow();
  const [day, setDay] = useState('');
  const isEndWrong = day !== '' && isOver(day, now);
  const linked = outcome.repository.link?.site ?? '';
  const store = async (): Promise<void> => {
    if (isEndWrong) return;
    setStoring('yes');
    setStoring((await onStore(outcome, day === '' ? undefined : endOfDay(day))) ?? 'stored');
  };
  return (
    <Once
      isKept={storing === 'stored'}
      title={texts.title}
      text={texts.text}
      rows={[{ name: texts.value, value: outcome.secret, copy: texts.copy }]}
    >
      {outcome.revoked !== undefined && <p className="rp-quiet">{texts.revoked({ site: outcome.revoked.site })}</p>}
      {storing !== 'stored' && (
        <EndField messages={texts.end} day={day} isWrong={isEndWrong} isDisabled={storing === 'yes'} onChange={setDay} />
      )}
      <div className="rp-actions">
        {storing !== 'stored' && (
          <Button variant="accent" isDisabled={storing === 'yes'} onPress={() => void store()}>
            {storing === 'yes' ? texts.storing : holder === undefined ? texts.useFor({ site: linked }) : texts.store({ site: holder })}
          </Button>
        )}
        <Button variant="secondary" isDisabled={storing === 'yes'} onPress={onDone}>
          {texts.done}
        </Button>
      </div>
      <p role="status" className="rp-quiet">
        {storing === 'stored' && texts.stored({ site: holder ?? linked })}
      </p>
      {typeof storing === 'object' && <Explanation explained={explainFailure(messages, storing)} details={fieldSentences(storing)} />}
    </Once>
  );
}
