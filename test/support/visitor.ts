/** A page that a visitor reached. */
export interface Visited {
  readonly address: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Visitor {
  /** Opens an address as a browser does: with its cookies, accepting HTML, following redirects. `from`: the page with the link. */
  open(address: string, options?: { stopBefore?: string; from?: string }): Promise<Visited>;
  /** Submits the first form of a page with these fields added to its own. */
  submit(page: Visited, fields: Readonly<Record<string, string>>, options?: { stopBefore?: string }): Promise<Visited>;
  cookie(name: string): string | undefined;
}

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** A minimal browser without rendering. Cookies belong to a host name, whatever the port, as in a real browser. */
export function createVisitor(): Visitor {
  const cookies = new Map<string, { value: string; path: string }>();

  async function go(address: string, init: RequestInit, stopBefore: string | undefined): Promise<Visited> {
    let next = { address, init };
    for (let hops = 0; hops < 15; hops++) {
      if (stopBefore !== undefined && next.address.startsWith(stopBefore)) {
        return { address: next.address, status: 0, headers: new Headers(), text: '' };
      }
      const headers = { ...Object.fromEntries(new Headers(next.init.headers)), accept: PAGE, cookie: cookieHeader(cookies, next.address) };
      const answer = await fetch(next.address, { ...next.init, headers, redirect: 'manual' });
      for (const line of answer.headers.getSetCookie()) keepCookie(cookies, line, new URL(next.address).pathname);
      const location = answer.headers.get('location');
      if (location === null) return { address: next.address, status: answer.status, headers: answer.headers, text: await answer.text() };
      await answer.body?.cancel();
      next = { address: new URL(location, next.address).href, init: {} };
    }
    throw new Error(`${address} redirects in a loop.`);
  }

  return {
    open: (address, { stopBefore, from } = {}) => go(address, from === undefined ? {} : { headers: { referer: from } }, stopBefore),
    submit(page, fields, { stopBefore } = {}) {
      const { action, hidden } = firstForm(page);
      return go(action, { method: 'POST', body: new URLSearchParams({ ...hidden, ...fields }) }, stopBefore);
    },
    cookie: (name) => cookies.get(name)?.value,
  };
}

function cookieHeader(cookies: ReadonlyMap<string, { value: string; path: string }>, address: string): string {
  const { pathname } = new URL(address);
  const sent = [...cookies].filter(([, { path }]) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`));
  return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
}

function keepCookie(cookies: Map<string, { value: string; path: string }>, line: string, pathname: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const [name = '', ...value] = pair.split('=');
  const attribute = (key: string) => attributes.find((one) => one.trim().toLowerCase().startsWith(`${key}=`))?.split('=')[1];
  const ended = attribute('max-age') === '0' || new Date(attribute('expires') ?? '2999-01-01').getTime() <= Date.now();
  if (ended) cookies.delete(name.trim());
  else cookies.set(name.trim(), { value: value.join('='), path: attribute('path') ?? pathname });
}

function firstForm({ text, address }: Visited): { action: string; hidden: Record<string, string> } {
  const [, action] = /<form method="post" action="([^"]*)"/.exec(text) ?? [];
  if (action === undefined) throw new Error(`${address} shows no form: ${text.slice(0, 500)}`);
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { action: new URL(action, address).href, hidden: Object.fromEntries(hidden) };
}
