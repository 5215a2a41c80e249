import type { Frame } from 'playwright-core';

/** Texts that lie over one another: where each is seen, less what scrolls out of sight below a row that stays in place. */
export function overlaps(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const boxes: { left: number; right: number; top: number; bottom: number; stays: boolean; text: Text }[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!(text instanceof Text) || text.data.trim() === '' || parent === null) continue;
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const seen = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      let stays = false;
      for (let around: Element | null = parent; around !== null && around !== document.body; around = around.parentElement) {
        const style = getComputedStyle(around);
        stays ||= style.position === 'sticky' || style.position === 'fixed';
        if (style.overflowX === 'visible' && style.overflowY === 'visible' && style.clipPath === 'none') continue;
        const box = around.getBoundingClientRect();
        seen.left = Math.max(seen.left, box.left);
        seen.right = Math.min(seen.right, box.right);
        seen.top = Math.max(seen.top, box.top);
        seen.bottom = Math.min(seen.bottom, box.bottom);
      }
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        const [left, right] = [Math.max(line.left, seen.left), Math.min(line.right, seen.right)];
        const [top, bottom] = [Math.max(line.top, seen.top), Math.min(line.bottom, seen.bottom)];
        if (right - left > 1 && bottom - top > 1) boxes.push({ left, right, top, bottom, stays, text });
      }
    }
    const found = new Set<string>();
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        if (one.text === other.text || one.stays !== other.stays) continue;
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        // Lines that stand close share a few pixels of their heights.
        const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (width > 2 && height > 5) found.add(`${one.text.data.trim().slice(0, 40)} / ${other.text.data.trim().slice(0, 40)}`);
      }
    }
    return [...found];
  });
}
