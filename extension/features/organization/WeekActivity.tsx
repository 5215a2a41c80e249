import { useCallback, use } from 'react';
import { Age } from '../../ui/Age.tsx';
import { ChecksContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';

/** What people did to sites in the last seven days, as sentences; nothing for people who may not read it. */
export function WeekActivity({ organization }: { readonly organization: string }) {
  const { siteView, overview } = useMessages('sites');
  const checks = use(ChecksContext);
  const read = useCallback(() => checks.activity(organization), [checks, organization]);
  const [reading] = useReading(read);
  if (reading.state !== 'ready' || reading.value.length === 0) return null;
  return (
    <section className="rp-card" aria-labelledby="rp-week">
      <h3 id="rp-week">{overview.week}</h3>
      <ul className="rp-plain-list">
        {reading.value.map(({ who, what, part, count, time }) => (
          <li key={`${who} ${what} ${part}`}>
            {siteView.activity({ who, what, part, count })}{' '}
            <span className="rp-quiet">
              · <Age time={time} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
