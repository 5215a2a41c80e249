import type { Catalogue } from '@repoless/core/messages/catalogue.ts';
import type { Messages, Part as MessagePart } from '@repoless/core/messages/language.ts';
import { type ComponentType, lazy, Suspense, use, useEffect, useState } from 'react';
import { TextButton } from './TextButton.tsx';
import { Explanation, Loading } from './Notice.tsx';
import { FocusKept, useFocusOnArrival } from './focus.ts';
import { CatalogueContext, useMessages } from './use-messages.ts';

/**
 * A component that is loaded when it is first rendered, below a Suspense. If loading fails, because of the network or because another
 * version of the extension replaced its files, it says so and offers to load again; the rest of the view is preserved.
 */
export function lazyComponent<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return loadedLate(load).Part;
}

interface ViewLoading {
  /** The parts of the messages that it initially needs. */
  readonly parts?: readonly MessagePart[];
  readonly textOf?: (messages: Messages) => string;
}

/**
 * The same for an entire view, which shows what is loading. It waits for its code and messages without a Suspense: React shows what a
 * Suspense has hidden no earlier than 0.3 s later.
 */
export function lazyView<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { parts = [], textOf = ({ general }) => general.loading }: ViewLoading = {},
): ComponentType<P> & Preparable {
  const { Part: View, loadPart, isLoaded } = loadedLate(load);
  const prepare = (catalogue: Catalogue): Promise<unknown> => Promise.allSettled([loadPart(), ...parts.map(catalogue.read)]);
  return Object.assign(LazyView, { prepare });

  function LazyView(props: P) {
    const catalogue = use(CatalogueContext);
    const [isReady, setReady] = useState(() => isLoaded() && !parts.some((part) => catalogue.read(part) instanceof Promise));
    useEffect(() => {
      let isHere = true;
      void prepare(catalogue).then(() => isHere && setReady(true));
      return () => void (isHere = false);
    }, [catalogue]);
    const fallback = (
      <>
        <FocusKept />
        <Loading text={textOf(useMessages())} />
      </>
    );
    if (!isReady) return fallback;
    return (
      <Suspense fallback={fallback}>
        <View {...props} />
      </Suspense>
    );
  }
}

export interface Preparable {
  /** Loads its code and messages. Failures are retried, and reported, when it is rendered. */
  prepare(catalogue: Catalogue): Promise<unknown>;
}

/** Loads a view before it is rendered, e.g. while its data is read. */
export function usePrepared(view: Preparable): void {
  const catalogue = use(CatalogueContext);
  useEffect(() => {
    void view.prepare(catalogue);
  }, [view, catalogue]);
}

/** A component that a view can do without: nothing until it is loaded, or if that fails. */
export function optional<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const Part = lazy(async (): Promise<{ default: ComponentType<P> }> => ({ default: (await load().catch(() => undefined)) ?? Nothing }));
  return function Optional(props: P) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  };
}

function Nothing() {
  return null;
}

/** Once `loadPart` has resolved, the part renders immediately. It rejects if the part cannot be loaded. */
function loadedLate<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  const loadPart = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  let part = startLoading(loadPart);
  function Part(props: P) {
    // Stored, so that the rendered component stays the same.
    const [Loaded] = useState(() => loaded);
    const [retries, setRetries] = useState(0);
    const retry = (): void => {
      part = startLoading(loadPart);
      setRetries(retries + 1);
    };
    const Lazy = part;
    return Loaded === undefined ? <Lazy drawn={props} isRetry={retries > 0} onRetry={retry} /> : <Loaded {...props} />;
  }
  return { Part, loadPart, isLoaded: () => loaded !== undefined };
}

interface Started<P> {
  readonly drawn: P;
  readonly isRetry: boolean;
  readonly onRetry: () => void;
}

function startLoading<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async (): Promise<{ default: ComponentType<Started<P>> }> => {
    const Part = await load().catch(() => undefined);
    if (Part === undefined) return { default: NotLoaded };
    return {
      default: ({ drawn, isRetry }) => (
        <>
          {isRetry && <Loaded />}
          <Part {...drawn} />
        </>
      ),
    };
  });
}

function NotLoaded({ isRetry, onRetry }: Omit<Started<unknown>, 'drawn'>) {
  const { notLoaded, retry, reload } = useMessages().general;
  // The pressed button was removed.
  const focus = useFocusOnArrival<HTMLDivElement>(isRetry ? true : undefined);
  return (
    <Explanation explained={notLoaded} focus={focus}>
      <TextButton onPress={onRetry} text={retry} />
      {isRetry && <TextButton onPress={() => location.reload()} text={reload} />}
    </Explanation>
  );
}

/** Takes the focus of the pressed button, in front of the part. */
function Loaded() {
  const { loaded } = useMessages().general;
  const focus = useFocusOnArrival<HTMLParagraphElement>(true);
  return (
    <p className="rp-hidden" tabIndex={-1} ref={focus}>
      {loaded}
    </p>
  );
}
