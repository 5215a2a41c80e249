import { extensionAddress, PAGE_VIEWS, type ExtensionLocation, type PageView } from '@repoless/contract/extension.ts';

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

interface Place extends ExtensionLocation {
  /** The label of the button in the page properties. */
  readonly label?: string;
}

declare global {
  interface Window {
    /** The settings that the package was built with (`extension.js`). */
    repoless?: Place;
    Granite?: { readonly $?: (element: Window | Document) => Adaptable };
  }
}

function place(): Place | undefined {
  return window.repoless;
}

/** Parameters of an action's handler (Granite UI, `foundation.collection.action.action`). */
type ActionHandler = (
  name: string,
  element: HTMLElement,
  config: { readonly data?: { readonly view?: string } },
  collection: HTMLElement,
  selections: readonly HTMLElement[],
) => void;

interface Registry {
  register(kind: 'foundation.collection.action.action', action: { readonly name: string; readonly handler: ActionHandler }): void;
}

interface Adaptable {
  adaptTo(kind: 'foundation-registry'): Registry;
  on(event: 'foundation-contentloaded', listener: () => void): void;
}

/** The part of Granite UI that is used here; the library itself has no types. */
interface Granite extends Registry {
  /** Calls the listener each time Granite has put content into the page. */
  onContent(listener: () => void): void;
}

/** Undefined on a page without Granite UI. */
function granite(): Granite | undefined {
  const query = window.Granite?.$;
  if (query === undefined) return undefined;
  return {
    register: (kind, action) => query(window).adaptTo('foundation-registry').register(kind, action),
    onContent: (listener) => query(document).on('foundation-contentloaded', listener),
  };
}
