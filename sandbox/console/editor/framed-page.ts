/** The editor's white page: nothing at all. */
export const WHITE_PAGE = '<!doctype html>';

/**
 * A delivered page for a frame in which nothing runs: with the head of its code, addresses resolved as on its own host. Scripts
 * are taken out because the frame would refuse them one by one.
 */
export function framedPage(markup: string, head: string, base: string): string {
  const page = new DOMParser().parseFromString(markup, 'text/html');
  page.head.insertAdjacentHTML('beforeend', head);
  for (const script of page.querySelectorAll('script')) script.remove();
  const element = page.createElement('base');
  element.href = base;
  page.head.prepend(element);
  return `<!doctype html>${page.documentElement.outerHTML}`;
}
