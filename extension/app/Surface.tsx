import { Provider } from '@adobe/react-spectrum/Provider';
import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import { Suspense, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { createCatalogues, spokenLocale } from '@repoless/core/messages/catalogue.ts';
import type { Catalogue } from '@repoless/core/messages/catalogue.ts';
import type { HostContext } from './host/host.ts';
import { DrawingGuard } from '../ui/DrawingGuard.tsx';
import { CatalogueContext, useMessages } from '../ui/use-messages.ts';

interface Props extends HostContext {
  readonly standAlone: boolean;
  readonly children: ReactNode;
}

/** Colours, locale and messages of everything drawn below; by itself in a window it has a bar with the product's name. */
export function Surface({ locale, theme, standAlone, children }: Props) {
  const catalogue = useCatalogueOf(locale);
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
            {/* What waits for its messages is thrown away and drawn again; what keeps them stands around it. */}
            <DrawingGuard>
              <Suspense>{children}</Suspense>
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

/** The catalogue of a locale, undefined until there is one. The one before stays until the other is loaded: nothing drawn loses its state. */
function useCatalogueOf(locale: string): Catalogue | undefined {
  const [catalogueOf] = useState(createCatalogues);
  const [shown, setShown] = useState<Catalogue>();
  const asked = catalogueOf(locale);
  const preparing = asked === shown ? undefined : asked.prepare();
  if (preparing === undefined && asked !== shown) setShown(asked);
  useEffect(() => {
    let wanted = true;
    void preparing?.then(() => wanted && setShown(asked));
    return () => {
      wanted = false;
    };
  }, [asked, preparing]);
  return preparing === undefined ? asked : shown;
}
