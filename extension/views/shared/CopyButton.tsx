import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import Copy from '@spectrum-icons/workflow/Copy';
import { useState } from 'react';
import { useWords } from '../use-words.ts';

/** Copies a text; where the frame may not, it says that the text can be selected. The outcome is announced. */
export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const { general } = useWords();
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('failed');
    }
  };
  return (
    <span className="rp-copy">
      <ActionButton isQuiet onPress={() => void copy()} aria-label={label ?? general.copy}>
        <Copy />
        <Text>{general.copy}</Text>
      </ActionButton>
      <span role="status" className="rp-quiet">
        {outcome === 'copied' ? general.copied : outcome === 'failed' ? general.copyFailed : ''}
      </span>
    </span>
  );
}
