import { attach } from '@adobe/uix-guest';
import { askHost, editedPage, hostMethods, type HostMethods, onContext, readSharedContext, type SharedValues } from './guest.ts';
import {
  createHostSource,
  EXTENSION_ID,
  fitLocale,
  type Host,
  type HostContext,
  type HostSource,
  type PageAddress,
  readDeployedSettings,
  serviceAddress,
} from './host.ts';

/**
 * Connects to the framing host (docs/design-facts.md 1.1), once per document: the host ignores a second connection
 * (docs/design-facts.md 1.2). Takes what the route says about the page; the editor is asked for the rest. The source
 * starts as loading, then becomes ready or failed, then follows the context.
 */
export function connectFrame(page: Partial<PageAddress>): HostSource {
  const source = createHostSource({ state: 'loading', locale: fitLocale(navigator.language), theme: 'light' });
  const fail = (failure: Extract<Host, { state: 'failed' }>['failure']): void =>
    source.update(({ locale, theme }) => ({ state: 'failed', failure, locale, theme }));
  onContext((values) => source.update((host) => follow(host, values)));
  void connect(page, source.update).then(
    (failure) => failure === undefined || fail(failure),
    () => fail({ reason: 'unreachable' }),
  );
  return source;
}

async function connect(given: Partial<PageAddress>, update: (change: (host: Host) => Host) => void) {
  const guest = await attach({ id: EXTENSION_ID });
  const host = hostMethods(guest);
  guest.addEventListener('contextchange', (event) => update((now) => follow(now, readContext(event.detail.context))));
  const shared = readSharedContext((key) => guest.sharedContext.get(key));
  update((now) => follow(now, shared));
  const [service, page] = await Promise.all([
    serviceAddress(guest.configuration, readDeployedSettings),
    given.author !== undefined && given.path !== undefined ? { author: given.author, path: given.path } : askEditor(host),
  ]);
  if ('failure' in service) return service.failure;
  if (page === undefined) return { reason: 'page-missing' } as const;
  const close = (): void => void askHost(() => host.modal.close());
  update(({ locale, theme }) => ({ state: 'ready', mode: 'framed', locale, theme, page, close, ...service, ...token(shared) }));
  return undefined;
}

async function askEditor(host: HostMethods): Promise<PageAddress | undefined> {
  return editedPage(await askHost(() => host.editorState.get()));
}

function follow(host: Host, values: SharedValues): Host {
  const context: HostContext = { locale: values.locale ?? host.locale, theme: values.theme ?? host.theme };
  return host.state === 'ready' ? { ...host, ...context, ...token(values) } : { ...host, ...context };
}

function token(values: SharedValues): { authoringToken?: string } {
  return values.authoringToken === undefined ? {} : { authoringToken: values.authoringToken };
}

function readContext(context: Readonly<Record<string, unknown>>): SharedValues {
  return readSharedContext((key) => context[key]);
}

/** The panel in its own window: page from the address, service from `settings.json`, colors from the system. */
export function connectStandAlone(page: Partial<PageAddress>): HostSource {
  const context = { locale: fitLocale(navigator.language), theme: 'system' } as const;
  const source = createHostSource({ state: 'loading', ...context });
  void serviceAddress(undefined, readDeployedSettings).then((service) => {
    source.update(() => {
      if ('failure' in service) return { state: 'failed', failure: service.failure, ...context };
      const { author, path } = page;
      if (author === undefined || path === undefined) return { state: 'failed', failure: { reason: 'page-missing' }, ...context };
      return { state: 'ready', mode: 'stand-alone', page: { author, path }, ...service, ...context };
    });
  });
  return source;
}
