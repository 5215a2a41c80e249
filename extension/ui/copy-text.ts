/**
 * Copies a text to the clipboard. Call it from a press. Returns whether it worked. A host's frame may not use the clipboard (docs/design-facts.md
 * 1.2), but copying a selection is allowed there.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Selects the text where nobody sees it and copies the selection. The focus stays; what was selected before is selected again. */
function copySelected(text: string): boolean {
  const selection = document.getSelection();
  if (selection === null || typeof document.execCommand !== 'function') return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
  const holder = document.createElement('span');
  holder.className = 'rp-hidden';
  holder.textContent = text;
  document.body.append(holder);
  let taken = false;
  // As it is, not as it is laid out: line breaks and spaces count in a command.
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
