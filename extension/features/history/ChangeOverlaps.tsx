import { Button } from '@adobe/react-spectrum/Button';
import type { Area } from '@repoless/core/history/change.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusOnArrival } from '../../ui/use-focus-on-arrival.ts';
import { useMessages } from '../../ui/use-messages.ts';
import type { Aim } from './use-restore.ts';

interface Props {
  readonly aim: Extract<Aim, { kind: 'undo' }>;
  /** JSON pointers. */
  readonly places: readonly string[];
  readonly onRestore: (version: number) => void;
  readonly onCancel: () => void;
}

/** Later versions changed the same: this one cannot be taken out by itself, but the version before it can come back. */
export function ChangeOverlaps({ aim, places, onRestore, onCancel }: Props) {
  const messages = useMessages('history');
  const focus = useFocusOnArrival<HTMLDivElement>(aim);
  const areas = [...new Set(places.map((place) => messages.areaNames[areaOf(place)]))];
  return (
    <Explanation
      title={messages.undo.overlaps({ version: aim.version })}
      explained={{ sentence: messages.undo.overlapsText, next: messages.undo.overlapsNext({ before: aim.before }) }}
      details={areas}
      focus={focus}
    >
      <Button variant="secondary" onPress={() => onRestore(aim.before)}>
        {messages.restore.this({ version: aim.before })}
      </Button>
      <Button variant="secondary" onPress={onCancel}>
        {messages.restore.cancel}
      </Button>
    </Explanation>
  );
}

function areaOf(place: string): Area {
  if (place.startsWith('/access')) return 'access';
  if (place.startsWith('/public/paths')) return 'mappings';
  if (place.startsWith('/content')) return 'content';
  return place.startsWith('/code') ? 'code' : 'other';
}
