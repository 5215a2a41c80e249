import { z } from 'zod';
import { fitLocale } from './fit-locale.ts';
import type { HostContext } from './host.ts';

const Locale = z.string().min(2);
const Theme = z.enum(['light', 'dark']);
const Token = z.string().min(1);

/** What the host shares that the panel follows. Values of other kinds than expected count as absent. */
export interface SharedValues extends Partial<HostContext> {
  readonly authoringToken?: string;
}

/** Reads the shared context. In: a reader by key. Out: locale, theme and the authoring system's token, where they are there. */
export function readSharedContext(get: (key: string) => unknown): SharedValues {
  const locale = Locale.safeParse(get('locale'));
  const theme = Theme.safeParse(get('theme'));
  const token = Token.safeParse(get('token'));
  return {
    ...(locale.success ? { locale: fitLocale(locale.data) } : {}),
    ...(theme.success ? { theme: theme.data } : {}),
    ...(token.success ? { authoringToken: token.data } : {}),
  };
}
