import { useEffect, useState } from 'react';
import { z } from 'zod';

export const LOCALES = [
  { id: 'en-US', title: 'English' },
  { id: 'de-DE', title: 'Deutsch' },
  { id: 'fr-FR', title: 'Français' },
  { id: 'es-ES', title: 'Español' },
  { id: 'it-IT', title: 'Italiano' },
  { id: 'pt-BR', title: 'Português (Brasil)' },
  { id: 'ja-JP', title: '日本語' },
  { id: 'ko-KR', title: '한국어' },
  { id: 'zh-CN', title: '中文（简体）' },
  { id: 'ar-EG', title: 'العربية' },
  // The extension falls back to English in this language.
  { id: 'nl-NL', title: 'Nederlands' },
] as const;

/** The console's appearance and what it shares with the extension. */
export const Preferences = z.object({
  theme: z.enum(['light', 'dark']),
  locale: z.string(),
  /** The host shares its own token with the extension. */
  sharesSignIn: z.boolean(),
  environment: z.string(),
});
export type Preferences = z.infer<typeof Preferences>;

const STORAGE_KEY = 'console.preferences';

export function usePreferences(firstEnvironment: string): [Preferences, (change: Partial<Preferences>) => void] {
  const [preferences, setPreferences] = useState(() => storedPreferences(firstEnvironment));
  const change = (part: Partial<Preferences>) => {
    const next = { ...preferences, ...part };
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
    setPreferences(next);
  };
  return [preferences, change];
}

function storedPreferences(firstEnvironment: string): Preferences {
  const theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const first: Preferences = { theme, locale: 'en-US', sharesSignIn: true, environment: firstEnvironment };
  try {
    const stored = Preferences.safeParse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? ''));
    return stored.success ? stored.data : first;
  } catch {
    return first;
  }
}

/** The selected page's path, stored in the address (`#/content/…`) so that it can be bookmarked and survives a reload. */
export function useSelection(): [string | undefined, (path: string | undefined) => void] {
  const [path, setPath] = useState(pathInAddress);
  useEffect(() => {
    const follow = () => setPath(pathInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return [
    path,
    (next) => {
      location.hash = next ?? '';
      setPath(next);
    },
  ];
}

function pathInAddress(): string | undefined {
  const path = decodeURI(location.hash.slice(1));
  return path.startsWith('/content/') ? path : undefined;
}
