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
export function keepInAddress(parameters: Readonly<Record<string, string>>): void {
  const hash = withParameters(location.hash === '' ? '#' : location.hash, parameters);
  if (hash !== location.hash) history.replaceState(history.state, '', hash);
}
