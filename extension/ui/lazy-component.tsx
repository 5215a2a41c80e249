import { Button } from '@adobe/react-spectrum/Button';
import type { Messages } from '@repoless/core/messages/language.ts';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Explanation } from './Explanation.tsx';
import { Loading } from './Loading.tsx';
import { FocusKept } from './focus-return.ts';
import { useFocusOnArrival } from './focus.ts';
import { useMessages } from './use-messages.ts';

/**
 * A component that is loaded when it is first rendered, below a Suspense. If loading fails, because of the network or because another version of
 * the extension replaced its files, it says so and offers to load again; what is around it is kept.
 */
export function late<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let part = begin(load);
  return function Late(props: P) {
    const [retries, setRetries] = useState(0);
    const retry = (): void => {
      part = begin(load);
      setRetries(retries + 1);
    };
    const Part = part;
    return <Part drawn={props} isAgain={retries > 0} onRetry={retry} />;
  };
}

/** The same with its own Suspense, which says meanwhile what is loading. */
export function lateView<P extends object>(
  load: () => Promise<ComponentType<P>>,
  textOf: (messages: Messages) => string = ({ general }) => general.loading,
): ComponentType<P> {
  const View = late(load);
  return function LateView(props: P) {
    return (
      <Suspense
        fallback={
          <>
            <FocusKept />
            <Loading text={textOf(useMessages())} />
          </>
        }
      >
        <View {...props} />
      </Suspense>
    );
  };
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
