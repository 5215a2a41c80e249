const listeners = new Set<() => void>();

/** What a view keeps in the address of its window, so that a link or a reload finds it as it was: parameters behind the route. */
export function readAddress(hash: string): ReadonlyMap<string, string> {
  return new Map(new URLSearchParams(hash.split('?', 2)[1] ?? ''));
}

/** The same address with other parameters; an empty value takes one away. */
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

/** Keeps parameters in the window's address without a further entry in its history. */
export function setAddressParameters(parameters: Readonly<Record<string, string>>): void {
  const hash = withParameters(currentHash(), parameters);
  if (hash !== location.hash) history.replaceState(history.state, '', hash);
}

/** The address at hand with other parameters, and with another route where one is given. */
export function addressWith(parameters: Readonly<Record<string, string>>, route?: string): string {
  const [now = '', query = ''] = currentHash().split('?', 2);
  return withParameters(query === '' ? (route ?? now) : `${route ?? now}?${query}`, parameters);
}

/** Goes to an address of this document. It becomes an entry of the window's history, so that Back leads here again. */
export function goTo(hash: string): void {
  if (hash === location.hash) return;
  history.pushState(history.state, '', hash);
  for (const listener of listeners) listener();
}

/** Tells whenever the window is at another address: by `goTo`, by Back and Forward, by hand. Out: stops that. */
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

/** Parameters of an address that name one row of a place: a finding, a step of a plan, an entry of access, an API key, a secret. */
export type RowParameter = 'finding' | 'step' | 'who' | 'key' | 'secret';

/** An address that names no row. */
export const NO_ROW: Readonly<Record<RowParameter, ''>> = { finding: '', step: '', who: '', key: '', secret: '' };

/** Whether an address names this row. People and groups are the same in every spelling. */
export function isNamed(address: ReadonlyMap<string, string>, parameter: RowParameter, name: string): boolean {
  const wanted = address.get(parameter);
  return parameter === 'who' ? wanted?.toLowerCase() === name.toLowerCase() : wanted === name;
}

/** A place of the page's organization: by default where all of its sites are. */
export function organizationAddress(place = ''): string {
  return addressWith({ place, site: '', version: '', ...NO_ROW }, '#/organization');
}
