import { useCallback, useMemo, useState } from 'react';
import { siteAccessKind } from '@repoless/core/access/access-kind.ts';
import { readSiteAccess } from '@repoless/core/access/read-access.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { useReading } from '../../ui/use-reading.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Saved } from './Saved.tsx';
import { SiteEditor } from './SiteEditor.tsx';
import { Unreadable } from './Unreadable.tsx';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
}

const WHEN_ASKED = () => undefined;
const NO_ENVIRONMENT = async (): Promise<Known<Environment>> => ({ state: 'missing' });

/** Who may do what on a site: read, edited, stored, read again. */
export function SiteAccess({ service, organization, site, environment, onUnsaved, onChanged, onHistory }: Props) {
  const { access } = useMessages();
  const messages = useMessages('access');
  const kind = useMemo(() => siteAccessKind(organization, site), [organization, site]);
  const read = useCallback(() => readSiteAccess(service, organization, site), [service, organization, site]);
  const [reading, again, readAgain] = useReading(read, WHEN_ASKED);
  const [readEnvironment] = useState(() => environment ?? NO_ENVIRONMENT);
  const [context] = useReading(readEnvironment, WHEN_ASKED);
  const [saved, setSaved] = useState(0);
  /** There is another change by now. */
  const [isOver, setOver] = useState(false);
  const settle = async (): Promise<void> => {
    await readAgain();
    setSaved((times) => times + 1);
    setOver(false);
    onChanged();
  };
  const tell = (isUnsaved: boolean): void => {
    if (isUnsaved) setOver(true);
    onUnsaved(isUnsaved);
  };
  const environments = context.state === 'ready' ? [context.value] : [];
  if (reading.state !== 'ready' || reading.failure !== undefined) {
    const failure = reading.state === 'ready' ? reading.failure : undefined;
    const shown = reading.state === 'ready' ? (failure === undefined ? undefined : { state: 'failed' as const, failure }) : reading;
    return (
      <>
        {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
        {shown !== undefined && (
          <Unreadable
            reading={shown}
            loading={access.reading}
            missing={messages.missing}
            notAllowed={messages.notAllowed.site}
            onRetry={again}
          />
        )}
      </>
    );
  }
  return (
    <>
      {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
      <SiteEditor
        service={service}
        subject={{ kind: 'site', organization, name: site }}
        kind={kind}
        read={reading.value}
        environments={environments}
        onUnsaved={tell}
        onSaved={() => void settle()}
      />
    </>
  );
}
