import { Button } from '@adobe/react-spectrum/Button';
import type { Catalogue } from '@repoless/core/messages/catalogue.ts';
import type { Messages, Part as MessagePart } from '@repoless/core/messages/language.ts';
import { type ComponentType, lazy, Suspense, use, useEffect, useState } from 'react';
import { Explanation } from './Explanation.tsx';
import { Loading } from './Loading.tsx';
import { FocusKept } from './focus-return.ts';
import { useFocusOnArrival } from './focus.ts';
import { CatalogueContext, useMessages } from './use-messages.ts';

/**
 * A component that is loaded when it is first rendered, below a Suspense. If loading fails, because of the network or because another version of
 * the extension replaced its files, it says so and offers to load again; what is around it is kept.
 */
export function late<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return loadedLate(load).Part;
}

interface ViewLoading {
  /** The parts of the messages that it begins with. */
  readonly parts?: readonly MessagePart[];
  readonly textOf?: (messages: Messages) => string;
}

/**
 * The same for a whole view, which says meanwhile what is loading. It waits for its code and its messages without a Suspense: what one has hidden,
 * React shows no sooner than 0.3 s later.
 */
export function lateView<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { parts = [], textOf = ({ general }) => general.loading }: ViewLoading = {},
): ComponentType<P> & Preparable {
  const { Part: View, loadPart, isLoaded } = loadedLate(load);
  const prepare = (catalogue: Catalogue): Promise<unknown> => Promise.allSettled([loadPart(), ...parts.map(catalogue.read)]);
  return Object.assign(LateView, { prepare });

  function LateView(props: P) {
    const catalogue = use(CatalogueContext);
    const [isReady, setReady] = useState(() => isLoaded() && !parts.some((part) => catalogue.read(part) instanceof Promise));
    useEffect(() => {
      let isHere = true;
      void prepare(catalogue).then(() => isHere && setReady(true));
      return () => void (isHere = false);
    }, [catalogue]);
    const meanwhile = (
      <>
        <FocusKept />
        <Loading text={textOf(useMessages())} />
      </>
    );
    if (!isReady) return meanwhile;
    return (
      <Suspense fallback={meanwhile}>
        <View {...props} />
      </Suspense>
    );
  }
}

export interface Preparable {
  /** Loads its code and its messages. What cannot be loaded is tried again, and told, when it is drawn. */
  prepare(catalogue: Catalogue): Promise<unknown>;
}

/** Has a view loaded before it is drawn, e.g. while what it shows is read. */
export function usePrepared(view: Preparable): void {
  const catalogue = use(CatalogueContext);
  useEffect(() => {
    void view.prepare(catalogue);
  }, [view, catalogue]);
}

/** One that a view can do without: nothing until it is loaded, and where that fails. */
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

/** Once `loadPart` has resolved, the part is drawn at once. It rejects where the part cannot be loaded. */
function loadedLate<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  const loadPart = async (): Promise<ComponentType<P>> => (loaded ??= await load());
  let part = begin(loadPart);
  function Part(props: P) {
    // Held, so that what is drawn stays the same component.
    const [Loaded] = useState(() => loaded);
    const [retries, setRetries] = useState(0);
    const retry = (): void => {
      part = begin(loadPart);
      setRetries(retries + 1);
    };
    const Lazy = part;
    return Loaded === undefined ? <Lazy drawn={props} isAgain={retries > 0} onRetry={retry} /> : <Loaded {...props} />;
  }
  return { Part, loadPart, isLoaded: () => loaded !== undefined };
}

interface Begun<P> {
  readonly drawn: P;
  readonly isAgain: boolean;
  readonly onRetry: () => void;
}

function begin<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(async (): Promise<{ default: ComponentType<Begun<P>> }> => {
    const Part = await load().catch(() => undefined);
    if (Part === undefined) return { default: NotLoaded };
    return {
      default: ({ drawn, isAgain }) => (
        <>
          {isAgain && <Loaded />}
          <Part {...drawn} />
        </>
      ),
    };
  });
}

function NotLoaded({ isAgain, onRetry }: Omit<Begun<unknown>, 'drawn'>) {
  const { notLoaded, retry, reload } = useMessages().general;
  // The button that was pressed is gone.
  const focus = useFocusOnArrival<HTMLDivElement>(isAgain ? true : undefined);
  return (
    <Explanation explained={notLoaded} focus={focus}>
      <Button variant="secondary" onPress={onRetry}>
        {retry}
      </Button>
      {isAgain && (
        <Button variant="secondary" onPress={() => location.reload()}>
          {reload}
        </Button>
      )}
    </Explanation>
  );
}

/** Takes the focus of the button that was pressed, in front of the part. */
function Loaded() {
  const { loaded } = useMessages().general;
  const focus = useFocusOnArrival<HTMLParagraphElement>(true);
  return (
    <p className="rp-hidden" tabIndex={-1} ref={focus}>
      {loaded}
    </p>
  );
}
