/**
 * Buttons and links whose accessible name lacks their visible text (WCAG 2.5.3), which users of speech input say. Runs in the page,
 * so it refers to nothing outside itself.
 */
export function nameMismatches(): string[] {
  const plain = (text: string): string =>
    text
      .toLocaleLowerCase()
      .replace(/[\p{P}\p{S}\s]+/gu, ' ')
      .trim();
  const visibleText = (element: Element): string => {
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    for (const hidden of copy.querySelectorAll('.rp-hidden, [aria-hidden="true"], svg')) hidden.remove();
    return plain(copy.textContent ?? '');
  };
  const named = document.querySelectorAll('button[aria-label], a[aria-label], summary[aria-label], [role="button"][aria-label]');
  return [...named]
    .filter((element) => !element.hasAttribute('aria-labelledby'))
    .filter((element) => !plain(element.getAttribute('aria-label') ?? '').includes(visibleText(element)))
    .map((element) => `label-content-name-mismatch: “${element.getAttribute('aria-label')}” shows “${element.textContent}”`);
}
