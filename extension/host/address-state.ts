const listeners = new Set<() => void>();

/** The state that a view stores in the address of its window, so that a link or a reload restores it: parameters after the route. */
export function readAddress(hash: string): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(hash.split('?', 2)[1] ?? ''));
}

/** The same address with other parameters; an empty value removes one. */
export function withParameters(hash: string, parameters: Readonly<Record<string, string>>): string {
  const [route = '', query = ''] = hash.split('?', 2);
  const all = new URLSearchParams(query);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === '') all.delete(name);
    else all.set(name, value);
  }
  const text = all.toString();
  return text === '' ? route : `${route}?${text}`;
}

/** Stores parameters in the window's address without adding an entry to its history. */
export function setAddressParameters(parameters: Readonly<Record<string, string>>): void {
  const hash = withParameters(currentHash(), parameters);
  if (hash !== location.hash) history.replaceState(history.state, '', hash);
}

/** The current address with other parameters, and with another route if one is given. */
export function addressWith(parameters: Readonly<Record<string, string>>, route?: string): string {
  const [now = '', query = ''] = currentHash().split('?', 2);
  return withParameters(query === '' ? (route ?? now) : `${route ?? now}?${query}`, parameters);
}

/** Navigates within this document. Adds an entry to the window's history, so that Back returns here. */
export function goTo(hash: string): void {
  if (hash === location.hash) return;
  history.pushState(history.state, '', hash);
  for (const listener of listeners) listener();
}

/** Calls the listener whenever the address changes: by `goTo`, by Back and Forward, or by hand. Returns a function that stops that. */
export function onAddress(listener: () => void): () => void {
  listeners.add(listener);
  for (const event of MOVED) window.addEventListener(event, listener);
  return () => {
    listeners.delete(listener);
    for (const event of MOVED) window.removeEventListener(event, listener);
  };
}

const MOVED = ['popstate', 'hashchange'] as const;

function currentHash(): string {
  return location.hash === '' ? '#' : location.hash;
}

/** Parameters of an address that name one row of a place: a finding, a step of a plan, an entry of access, an API key or a secret. */
export type RowParameter = 'finding' | 'step' | 'who' | 'key' | 'secret';

export const NO_ROW: Readonly<Record<RowParameter, ''>> = { finding: '', step: '', who: '', key: '', secret: '' };

/** Whether an address names this row. People and groups are compared without regard to case. */
export function isNamed(address: ReadonlyMap<string, string>, parameter: RowParameter, name: string): boolean {
  const target = address.get(parameter);
  return parameter === 'who' ? target?.toLowerCase() === name.toLowerCase() : target === name;
}

/** The address of a place of the page's organization; by default the list of its sites. */
export function organizationAddress(place = ''): string {
  return addressWith({ place, site: '', version: '', ...NO_ROW }, '#/organization');
}
