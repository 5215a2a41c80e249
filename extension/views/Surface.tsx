import { Provider } from '@adobe/react-spectrum/Provider';
import { defaultTheme } from '@adobe/react-spectrum/defaultTheme';
import type { ReactNode } from 'react';
import { wordsFor } from '#extension/words/words.ts';
import type { Surroundings } from '../host/host.ts';
import { WordsContext } from './use-words.ts';

interface Props extends Surroundings {
  readonly standAlone: boolean;
  readonly children: ReactNode;
}

/** Colours, locale and words of everything drawn below; by itself in a window it has a bar with the product's name. */
export function Surface({ locale, theme, standAlone, children }: Props) {
  const words = wordsFor(locale);
  return (
    <Provider
      theme={defaultTheme}
      locale={locale}
      {...(theme === 'system' ? {} : { colorScheme: theme })}
      UNSAFE_className={standAlone ? 'rp-surface rp-alone' : 'rp-surface'}
    >
      <WordsContext value={words}>
        {standAlone && (
          <header className="rp-bar">
            <span className="rp-bar-mark" aria-hidden="true" />
            <span className="rp-bar-name">{words.general.product}</span>
          </header>
        )}
        <main className="rp-main">{children}</main>
      </WordsContext>
    </Provider>
  );
}
