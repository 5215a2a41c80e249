import { Provider } from '@adobe/react-spectrum/Provider';
import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { wordsLoader } from '#extension/words/words.ts';
import type { Words } from '#extension/words/words.ts';
import type { Surroundings } from '../host/host.ts';
import { WordsContext } from './use-words.ts';

interface Props extends Surroundings {
  readonly standAlone: boolean;
  readonly children: ReactNode;
}

/** Colours, locale and words of everything drawn below; by itself in a window it has a bar with the product's name. */
export function Surface({ locale, theme, standAlone, children }: Props) {
  const words = useWordsOf(locale);
  return (
    <Provider
      theme={defaultTheme}
      locale={locale}
      {...(theme === 'system' ? {} : { colorScheme: theme })}
      UNSAFE_className={standAlone ? 'rp-surface rp-alone' : 'rp-surface'}
    >
      {words === undefined ? (
        <main className="rp-main" aria-busy="true" />
      ) : (
        <WordsContext value={words}>
          {standAlone && (
            <header className="rp-bar">
              <span className="rp-bar-mark" aria-hidden="true" />
              <span className="rp-bar-name">{words.general.product}</span>
            </header>
          )}
          <main className="rp-main">{children}</main>
        </WordsContext>
      )}
    </Provider>
  );
}

/** The words of a locale, undefined until there are any. Those before stay until another language is loaded: nothing drawn loses its state. */
function useWordsOf(locale: string): Words | undefined {
  const [load] = useState(wordsLoader);
  const asked = load(locale);
  const [loaded, setLoaded] = useState(asked instanceof Promise ? undefined : asked);
  useEffect(() => {
    let wanted = true;
    if (asked instanceof Promise) void asked.then((words) => wanted && setLoaded(words));
    return () => {
      wanted = false;
    };
  }, [asked]);
  return asked instanceof Promise ? loaded : asked;
}
