import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '#extension/setup/situation.ts';
import { explainFailure, fieldSentences } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { useFocusOnArrival } from '../shared/use-focus-on-arrival.ts';
import { useWords } from '../use-words.ts';
import { useHistoryWords } from './use-history-words.ts';

interface Props {
  readonly version: number;
  readonly failure: Failure;
  readonly wasRehearsal: boolean;
  readonly onLook: (confirm: boolean) => void;
  readonly onCancel: () => void;
}

/** Why a version cannot come back as it is, and the way on: look again, or know what one does. */
export function RestoreRefused({ version, failure, wasRehearsal, onLook, onCancel }: Props) {
  const words = useWords();
  const { restore } = useHistoryWords();
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const code = failure.problem?.code;
  const explained =
    code === 'WOULD_LOCK_OUT'
      ? { sentence: restore.lockOutText }
      : code === 'PRECONDITION_FAILED'
        ? { sentence: restore.changedMeanwhile }
        : explainFailure(words, failure);
  const title = code === 'WOULD_LOCK_OUT' ? restore.lockOut : wasRehearsal ? restore.refused(version) : restore.failed(version);
  return (
    <Explanation title={title} explained={explained} details={fieldSentences(failure)} focus={focus}>
      <Button
        variant={code === 'WOULD_LOCK_OUT' ? 'negative' : 'secondary'}
        style={code === 'WOULD_LOCK_OUT' ? 'outline' : 'fill'}
        onPress={() => onLook(code === 'WOULD_LOCK_OUT')}
      >
        {code === 'WOULD_LOCK_OUT' ? restore.lockOutConfirm : restore.again}
      </Button>
      <Button variant="secondary" onPress={onCancel}>
        {restore.cancel}
      </Button>
    </Explanation>
  );
}
