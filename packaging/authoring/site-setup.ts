import { extensionAddress, PAGE_VIEWS } from '@repoless/contract/extension.ts';
import type { ExtensionPlace, PageView } from '@repoless/contract/extension.ts';
import { granite } from './granite.ts';

/** An element with this attribute opens the view that it names when clicked. */
const VIEW = 'data-repoless-view';
/** The action of the Sites console. Its nodes name the action, and the view in their `data`. */
const ACTION = 'repoless.open';
/** The form of the page properties, and the query parameter that names the page. */
const PROPERTIES_FORM = 'cq-sites-properties-form';
const PROPERTIES_PAGE = 'item';

document.addEventListener('click', pressed, true);
granite()?.register('foundation.collection.action.action', {
  name: ACTION,
  handler: (_name, _element, config, _collection, [selected]) => {
    const view = viewOf(config.data?.view);
    const path = selected?.dataset['foundationCollectionItemId'];
    if (view !== undefined && path !== undefined) openView(view, { path });
  },
});
granite()?.onContent(addToPageProperties);
addToPageProperties();

/** Handles clicks before any other listener, because libraries of a console may stop their propagation. */
function pressed(event: Event): void {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>(`[${VIEW}]`) : null;
  const view = viewOf(element?.dataset['repolessView']);
  const path = element?.dataset['repolessPath'] ?? editedPage();
  if (element === null || view === undefined || path === undefined) return;
  const author = element.dataset['repolessAuthor'];
  openView(view, { path, ...(author === undefined ? {} : { author }) });
}

/** Adds the button above the fields of the page properties of a single page, once. */
function addToPageProperties(): void {
  const form = document.getElementById(PROPERTIES_FORM);
  const label = place()?.label;
  if (form === null || label === undefined || editedPage() === undefined || form.querySelector(`[${VIEW}]`) !== null) return;
  const button = document.createElement('button', { is: 'coral-button' });
  button.setAttribute('variant', 'secondary');
  button.setAttribute(VIEW, 'page-properties');
  button.type = 'button';
  button.textContent = label;
  form.prepend(button);
}

/** The page whose properties this window shows; undefined if it shows those of several. */
function editedPage(): string | undefined {
  const [page, ...others] = new URLSearchParams(location.search).getAll(PROPERTIES_PAGE);
  return others.length === 0 ? page : undefined;
}

/** Opens a separate window: in a frame the extension would wait for a host of extensions, and signing in needs windows. */
function openView(view: PageView, { path, author = location.origin }: { readonly path: string; readonly author?: string }): void {
  const known = place();
  if (known !== undefined) window.open(extensionAddress(known, view, { author, path }), '_blank', 'noopener');
}

function viewOf(name: string | undefined): PageView | undefined {
  return PAGE_VIEWS.find((view) => view === name);
}

interface Place extends ExtensionPlace {
  /** The label of the button in the page properties. */
  readonly label?: string;
}

declare global {
  interface Window {
    /** The settings that the package was built with (`extension.js`). */
    repoless?: Place;
  }
}

function place(): Place | undefined {
  return window.repoless;
}
