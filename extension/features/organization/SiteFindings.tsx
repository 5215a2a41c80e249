import { useCallback } from 'react';
import type { SiteCheck } from '@repoless/contract/checked-site.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { ChecksPort } from '@repoless/core/overview/checks-port.ts';
import { storedFinding } from '@repoless/core/overview/found-at-site.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { FindingList } from '../page-properties/FindingList.tsx';
import { groupFindings } from '../page-properties/finding-groups.ts';
import { findingAddress } from '../../app/shell/finding-address.ts';
import { Age } from '../../ui/Age.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { useReading } from '../../ui/use-reading.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly checks: ChecksPort;
  readonly organization: string;
  readonly siteName: string;
  /** Its page is known, so that it has a place where findings are explained. */
  readonly hasPage: boolean;
}

/** What was found at a site last, by whom and when; it is read when it is drawn. */
export function SiteFindings({ checks, organization, siteName, hasPage }: Props) {
  const messages = useMessages('sites');
  const { details } = messages.overview;
  const read = useCallback(() => checks.site(organization, siteName), [checks, organization, siteName]);
  const [reading] = useReading(read, () => undefined);
  switch (reading.state) {
    case 'loading':
      return (
        <p className="rp-quiet" role="status">
          {details.reading}
        </p>
      );
    case 'missing':
      return <p className="rp-quiet">{details.never}</p>;
    case 'failed':
      return <Explanation title={messages.overview.failed} explained={explainFailure(messages, reading.failure)} />;
    case 'ready':
      return <Found found={reading.value} healthOf={hasPage ? siteName : undefined} />;
    default:
      return reading satisfies never;
  }
}

function Found({ found, healthOf }: { readonly found: SiteCheck; readonly healthOf: string | undefined }) {
  const { details } = useMessages('sites').overview;
  const { checks } = useMessages('site-check');
  const { service, authoring, findings, isOutdated } = found;
  if (service === undefined && authoring === undefined) return <p className="rp-quiet">{details.never}</p>;
  const groups = groupFindings(findings.map(storedFinding));
  const of = (verdict: string) => groups.find((group) => group.verdict === verdict)?.findings ?? [];
  const titles = (ids: readonly CheckId[]) => ids.map((id) => checks.titles[id]).join(', ');
  const unseen = of('unknown').map(({ check }) => check);
  return (
    <>
      <ul className="rp-plain-list rp-quiet">
        {service !== undefined && (
          <li>
            {details.byService} · <Age time={service.at} />
          </li>
        )}
        <li>
          {authoring === undefined ? (
            details.noAuthoring
          ) : (
            <>
              {details.byPerson({ who: authoring.by })} · <Age time={authoring.at} />
            </>
          )}
        </li>
        {isOutdated && <li className="rp-strong">{details.outdated}</li>}
      </ul>
      {groups
        .filter(({ verdict }) => verdict === 'wrong' || verdict === 'warning')
        .map(({ verdict, findings: some }) => (
          <FindingList
            key={verdict}
            title={checks.verdicts[verdict].group({ count: some.length })}
            findings={some}
            folded={false}
            addressOf={healthOf === undefined ? undefined : ({ check }) => findingAddress(healthOf, check)}
          />
        ))}
      <p className="rp-quiet">{details.fine({ count: of('fine').length + of('note').length })}</p>
      {unseen.length > 0 && <p className="rp-quiet">{details.unseen({ titles: titles(unseen) })}</p>}
    </>
  );
}
