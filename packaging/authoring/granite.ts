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
export interface Granite extends Registry {
  /** Calls the listener each time Granite has put content into the page. */
  onContent(listener: () => void): void;
}

/** Undefined on a page without Granite UI. */
export function granite(): Granite | undefined {
  const query = window.Granite?.$;
  if (query === undefined) return undefined;
  return {
    register: (kind, action) => query(window).adaptTo('foundation-registry').register(kind, action),
    onContent: (listener) => query(document).on('foundation-contentloaded', listener),
  };
}

declare global {
  interface Window {
    Granite?: { readonly $?: (element: Window | Document) => Adaptable };
  }
}
