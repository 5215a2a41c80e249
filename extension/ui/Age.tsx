import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useLocale } from '@adobe/react-spectrum/Provider';
import { ageOf } from '@repoless/core/sync/age.ts';
import { useNow } from './use-now.ts';

/** How long ago something was, in words; the moment itself as its title. */
export function Age({ time }: { readonly time: string }) {
  const now = useNow();
  const { locale } = useLocale();
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'medium' });
  const { value, unit } = ageOf(time, now);
  return (
    <time dateTime={time} title={dates.format(new Date(time))}>
      {new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit)}
    </time>
  );
}
