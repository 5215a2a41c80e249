import type { Change } from '@repoless/core/history/change.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import { useMessages } from '../../ui/use-messages.ts';
import './history.css';

export function ChangeList({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }) {
  const messages = useMessages('history');
  return (
    <ul className="rp-changes" aria-label={label}>
      {changes.map((change) => {
        const sentence = changeSentence(messages, change);
        return (
          <li key={`${change.kind} ${change.pointer} ${sentence}`} className={`rp-change rp-change-${toneOf(change)}`}>
            {sentence}
          </li>
        );
      })}
    </ul>
  );
}

function toneOf(change: Change): 'added' | 'removed' | 'changed' {
  switch (change.kind) {
    case 'created':
    case 'returned':
      return 'added';
    case 'removed':
      return 'removed';
    case 'list':
      if (change.removed.length === 0) return 'added';
      return change.added.length === 0 ? 'removed' : 'changed';
    case 'field':
    case 'other':
      if (change.from === undefined) return 'added';
      return change.to === undefined ? 'removed' : 'changed';
    case 'same':
    case 'order':
    case 'mapping':
    case 'inclusion':
      return 'changed';
    default:
      return change satisfies never;
  }
}
