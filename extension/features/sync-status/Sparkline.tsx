import { useLocale } from '@adobe/react-spectrum/Provider';
import { sparkline } from '@repoless/core/sync/job-history.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { durationText } from './duration-text.ts';

const WIDTH = 160;
const HEIGHT = 32;

/** How long syncs took, the oldest first: a line, and the same in words. Two make the first line. */
export function Sparkline({ durations }: { readonly durations: readonly number[] }) {
  const { syncHistory: messages } = useMessages('sync');
  const { locale } = useLocale();
  const latest = durations.at(-1);
  if (durations.length < 2 || latest === undefined) return null;
  const say = (duration: number): string => durationText(locale, duration);
  const text = messages.trend({
    count: durations.length,
    shortest: say(Math.min(...durations)),
    longest: say(Math.max(...durations)),
    latest: say(latest),
  });
  return (
    <figure className="rp-spark">
      <svg
        viewBox={`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`}
        width={WIDTH}
        height={HEIGHT}
        role="img"
        aria-label={`${messages.durations}. ${text}`}
      >
        <polyline points={sparkline(durations, WIDTH, HEIGHT)} />
      </svg>
      <figcaption className="rp-quiet" aria-hidden="true">
        {text}
      </figcaption>
    </figure>
  );
}
