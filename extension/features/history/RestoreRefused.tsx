import { Button } from '@adobe/react-spectrum/Button';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { Aim, Restore } from './use-restore.ts';

interface Props {
  readonly aim: Aim;
  readonly failure: Failure;
  readonly after: Extract<Restore, { state: 'refused' }>['after'];
  readonly onLook: (confirm: boolean) => void;
  readonly onCancel: () => void;
}

/** Why a version cannot come back as it is, or that it may have come back, and the way on: look again, or know what one does. */
export function RestoreRefused({ aim, failure, after, onLook, onCancel }: Props) {
  const messages = useMessages();
  const history = useMessages('history');
  const { restore } = history;
  const says = history[aim.kind];
  const focus = useFocusOnArrival<HTMLDivElement>(failure);
  const code = failure.problem?.code;
  const explained =
    code === 'WOULD_LOCK_OUT'
      ? { sentence: restore.lockOutText }
      : code === 'PRECONDITION_FAILED'
        ? { sentence: restore.changedMeanwhile }
        : after === 'lost'
          ? { sentence: explainFailure(messages, failure).sentence, next: restore.uncertainNext }
          : explainFailure(messages, failure);
  const titles = { look: says.refused, go: says.failed, lost: says.uncertain };
  const title = code === 'WOULD_LOCK_OUT' ? restore.lockOut : titles[after]({ version: aim.version });
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
