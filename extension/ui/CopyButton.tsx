import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Text } from '@adobe/react-spectrum/Text';
import Copy from '@spectrum-icons/workflow/Copy';
import { useState } from 'react';
import { Status } from './Notice.tsx';
import { useMessages } from './use-messages.ts';

/**
 * Copies a text and announces that. `label` names the text for assistive technology, `shown` for everyone. If the browser refuses, the text
 * is shown, selected, to be copied with the keyboard.
 */
export function CopyButton({ text, label, shown }: { readonly text: string; readonly label?: string; readonly shown?: string }) {
  const { general } = useMessages();
  // The name contains the visible text: users of voice control say “Copy”.
  const name = label?.toLocaleLowerCase().includes(general.copy.toLocaleLowerCase()) === false ? `${general.copy}: ${label}` : label;
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    // Announced again at each press.
    setOutcome('idle');
    setOutcome((await copyText(text)) ? 'copied' : 'failed');
  };
  return (
    <span className="rp-copy">
      <ActionButton isQuiet onPress={() => void copy()} aria-label={shown ?? name ?? general.copy}>
        <Copy />
        <Text>{shown ?? general.copy}</Text>
      </ActionButton>
      <Status as="span">{outcome === 'copied' ? general.copied : outcome === 'failed' ? general.copyFailed : ''}</Status>
      {outcome === 'failed' && (
        <textarea className="rp-copy-text" readOnly rows={rowsOf(text)} value={text} aria-label={general.textToCopy} ref={selectAll} />
      )}
    </span>
  );
}

/** A long line wraps; browsers with `field-sizing` fit the field to it. */
const [MIN_ROWS, MAX_ROWS] = [2, 8];

function rowsOf(text: string): number {
  return Math.min(MAX_ROWS, Math.max(MIN_ROWS, text.split('\n').length));
}

function selectAll(field: HTMLTextAreaElement | null): void {
  field?.focus();
  field?.select();
}

/**
 * Copies a text to the clipboard. Must be called from a press. Returns whether it worked. A host's frame may not use the clipboard
 * (docs/design-facts.md 1.2), but copying a selection is allowed there.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Selects the text outside the visible area and copies the selection. Focus stays; the previous selection is restored. */
function copySelected(text: string): boolean {
  const selection = document.getSelection();
  if (selection === null || typeof document.execCommand !== 'function') return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const holder = document.createElement('span');
  holder.className = 'rp-hidden';
  holder.textContent = text;
  document.body.append(holder);
  let taken = false;
  // The raw text, not its layout: line breaks and spaces matter in a command.
  const take = (event: ClipboardEvent): void => {
    if (event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
    taken = true;
  };
  document.addEventListener('copy', take, { capture: true });
  try {
    selection.selectAllChildren(holder);
    return document.execCommand('copy') && taken;
  } catch {
    return false;
  } finally {
    document.removeEventListener('copy', take, { capture: true });
    selection.removeAllRanges();
    holder.remove();
    if (before !== undefined) selection.addRange(before);
  }
}
