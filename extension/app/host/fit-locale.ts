/** A locale that the browser's formatters take: `de_CH` becomes `de-CH`, nonsense becomes English. */
export function fitLocale(locale: string): string {
  try {
    return new Intl.Locale(locale.replaceAll('_', '-')).toString();
  } catch {
    return 'en-US';
  }
}
