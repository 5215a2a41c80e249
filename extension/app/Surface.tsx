import { Provider } from '@adobe/react-spectrum/Provider';
import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import { type Catalogue, createCatalogues, spokenLocale } from '@repoless/core/messages/catalogue.ts';
import { Component, type ReactNode, Suspense, useEffect, useState } from 'react';
import { TextButton } from '../ui/TextButton.tsx';
import { Explanation } from '../ui/Notice.tsx';
import { FocusKept, useFocusOnArrival } from '../ui/focus.ts';
import { CatalogueContext, useMessages } from '../ui/use-messages.ts';
import type { HostContext } from '../host/host.ts';

interface Props extends HostContext {
  readonly standAlone: boolean;
  readonly children: ReactNode;
}

/** Colors, locale and messages for everything below; in its own window it has a bar with the product's name. */
export function Surface({ locale, theme, standAlone, children }: Props) {
  const catalogue = useCatalogueOf(locale);
  // Loaded after the first view is drawn, so that a refusal can be explained immediately.
  useEffect(() => {
    void Promise.resolve(catalogue?.readService()).catch(() => undefined);
  }, [catalogue]);
  return (
    <Provider
      theme={defaultTheme}
      locale={spokenLocale(locale)}
      {...(theme === 'system' ? {} : { colorScheme: theme })}
      UNSAFE_className={standAlone ? 'rp-surface rp-alone' : 'rp-surface'}
    >
      {catalogue === undefined ? (
        <main className="rp-main" aria-busy="true" />
      ) : (
        <CatalogueContext value={catalogue}>
          {standAlone && <Bar />}
          <main className="rp-main">
            {/* What waits for its messages is unmounted and rendered again; their provider stays mounted around it. */}
            <DrawingGuard>
              <Suspense fallback={<FocusKept />}>{children}</Suspense>
            </DrawingGuard>
          </main>
        </CatalogueContext>
      )}
    </Provider>
  );
}

function Bar() {
  const { product } = useMessages().general;
  return (
    <header className="rp-bar">
      <span className="rp-bar-mark" aria-hidden="true" />
      <span className="rp-bar-name">{product}</span>
    </header>
  );
}

/**
 * The catalogue of a locale, undefined until one is loaded. The previous one stays until the next is loaded, so that nothing loses its
 * state.
 */
function useCatalogueOf(locale: string): Catalogue | undefined {
  const [catalogueOf] = useState(createCatalogues);
  const [shown, setShown] = useState<Catalogue>();
  const requested = catalogueOf(locale);
  const preparing = requested === shown ? undefined : requested.prepare();
  if (preparing === undefined && requested !== shown) setShown(requested);
  useEffect(() => {
    let isCurrent = true;
    void preparing?.then(() => isCurrent && setShown(requested));
    return () => {
      isCurrent = false;
    };
  }, [requested, preparing]);
  return preparing === undefined ? requested : shown;
}

interface DrawingGuardProps {
  readonly children: ReactNode;
}

/** The last resort if rendering fails: says so instead of leaving an empty frame. The error's text only goes to the console. */
class DrawingGuard extends Component<DrawingGuardProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const { broken, reload } = useMessages().general;
  const focus = useFocusOnArrival<HTMLDivElement>(true);
  return (
    <>
      <h1>{broken.title}</h1>
      <Explanation explained={broken} focus={focus}>
        <TextButton variant="accent" onPress={() => location.reload()} text={reload} />
      </Explanation>
    </>
  );
}
