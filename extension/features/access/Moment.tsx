import { useDateFormatter } from '@adobe/react-spectrum/useDateFormatter';
import { useLocale } from '@adobe/react-spectrum/Provider';
import { distanceOf } from '@repoless/core/access/distance.ts';
import { useNow } from '../../ui/use-now.ts';

/** When something is or was: how far from now, and exactly. */
export function Moment({ time }: { readonly time: string }) {
  const now = useNow();
  const { locale } = useLocale();
  const dates = useDateFormatter({ dateStyle: 'medium', timeStyle: 'short' });
  const { value, unit } = distanceOf(time, now);
  return (
    <time dateTime={time}>
      {new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(value, unit)} ({dates.format(new Date(time))})
    </time>
  );
}
