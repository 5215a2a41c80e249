import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { SiteName } from '@repoless/contract/names.ts';
import { type LocaleSite, type Moved, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { RowStep } from '@repoless/core/sites/rows.ts';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { TextButton } from '../../ui/TextButton.tsx';
import { usePrintedTime } from '../../ui/Age.tsx';
import { Fold } from '../../ui/Card.tsx';
import { TextInput } from '../../ui/forms.tsx';
import { lastingStorage, readStored, writeStored } from '../../host/storage.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Explanation, Loading, Notice } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useStopper } from '../../ui/use-reading.ts';
import { useActiveRun } from '../../ui/use-guarded.ts';

interface Props {
  readonly removed: readonly RemovedSite[];
  readonly isDisabled: boolean;
  readonly onHistory: (siteName: string) => void;
  readonly onBring: (site: Pick<RemovedSite, 'siteName'> & Partial<RemovedSite>) => void;
}

export function RestoreSites({ removed, isDisabled, onHistory, onBring }: Props) {
  const { removal, history } = useMessages('sites');
  const printTime = usePrintedTime();
  const [name, setName] = useState('');
  const isValidName = SiteName.safeParse(name.trim()).success;
  return (
    <Fold title={removal.bringTitle}>
      <p className="rp-quiet">{removal.bringText}</p>
      <ul className="rp-plain-list">
        {removed.map((site) => (
          <li key={site.siteName} className="rp-member">
            <span>
              <span className="rp-strong">{site.siteName}</span>{' '}
              <span className="rp-quiet">{removal.removedOn({ time: printTime(site.at) })}</span>
            </span>
            <span className="rp-actions">
              <ActionButton aria-label={history.openOf({ name: site.siteName })} onPress={() => onHistory(site.siteName)}>
                {history.open}
              </ActionButton>
              <TextButton
                isDisabled={isDisabled}
                aria-label={removal.bringOf({ site: site.siteName })}
                onPress={() => onBring(site)}
                text={removal.bring}
              />
            </span>
          </li>
        ))}
      </ul>
      <div className="rp-member-add">
        <TextInput
          label={removal.bringName}
          value={name}
          onChange={setName}
          problem={name !== '' && !isValidName ? removal.nameProblem : undefined}
        />
        <div className="rp-actions">
          <TextButton isDisabled={isDisabled || !isValidName} onPress={() => onBring({ siteName: name.trim() })} text={removal.bring} />
          <ActionButton isDisabled={!isValidName} onPress={() => onHistory(name.trim())}>
            {history.open}
          </ActionButton>
        </div>
      </div>
    </Fold>
  );
}

/** A site that was removed here, with what restoring it requires. */
type RemovedSite = Readonly<z.infer<typeof RemovedSite>>;
const RemovedSite = z.object({
  siteName: z.string(),
  author: z.string(),
  page: z.exactOptional(z.string()),
  cloudConfiguration: z.exactOptional(z.string()),
  /** ISO 8601. */
  at: z.string(),
});

/** Stores removed sites in this browser. The service has the versions, but not the page's own configuration. */
function removedSites(storage: Storage | undefined, service: string, organization: string) {
  const key = `repoless.removed ${service} ${organization}`;
  const all = (): RemovedSite[] => readStored(storage, key, z.array(RemovedSite)) ?? [];
  const write = (sites: readonly RemovedSite[]): void => writeStored(storage, key, sites);
  return {
    all,
    add: (site: RemovedSite): void => write([site, ...all().filter(({ siteName }) => siteName !== site.siteName)]),
    remove: (siteName: string): void => write(all().filter((site) => site.siteName !== siteName)),
  };
}

export function useRemovedSites(service: string, organization: string, now: () => Date) {
  const storage = useMemo(() => removedSites(lastingStorage(), service, organization), [service, organization]);
  const [removed, setRemoved] = useState(() => storage.all());
  return {
    /** Sites that were removed here, the latest first. */
    removed,
    remember(sites: readonly LocaleSite[]): void {
      const at = now().toISOString();
      for (const { organization: _organization, ...record } of sites) storage.add({ ...record, at });
      setRemoved(storage.all());
    },
    remove(names: readonly string[]): void {
      for (const name of names) storage.remove(name);
      setRemoved(storage.all());
    },
  };
}

export function RestoredSite({ restoring, onRetry }: { readonly restoring: Restoring; readonly onRetry: (site: LocaleSite) => void }) {
  const messages = useMessages('sites');
  const { removal } = messages;
  const focus = useFocusOnArrival<HTMLDivElement>(restoring.state === 'ended' ? restoring : undefined);
  if (restoring.state === 'idle') return null;
  const name = restoring.site.siteName;
  if (restoring.state === 'running') {
    const step = restoring.step === undefined ? '' : ` ${removal.steps[restoring.step]}…`;
    return <Loading text={`${removal.bringing({ site: name })}${step}`} />;
  }
  const { moved, site } = restoring;
  if (moved.outcome === 'done')
    return <Notice tone="positive" icon={CheckmarkCircle} role="status" title={removal.back({ site: name })} focus={focus} />;
  const explained = moved.outcome === 'failed' ? explainRow(messages, moved.problem) : { sentence: removal.stopped };
  return (
    <Explanation title={removal.bringFailed({ site: name })} explained={explained} focus={focus}>
      <TextButton variant="accent" onPress={() => onRetry(site)} text={removal.retry} />
    </Explanation>
  );
}

type Restoring =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly site: LocaleSite; readonly step?: RowStep }
  | { readonly state: 'ended'; readonly site: LocaleSite; readonly moved: Moved };

export function useRestore() {
  const [restoring, setRestoring] = useState<Restoring>({ state: 'idle' });
  useActiveRun(restoring.state === 'running', 'view');
  const stopper = useStopper();
  return {
    restoring,
    start: async (ports: SetupPorts, site: LocaleSite): Promise<Moved> => {
      const signal = stopper.start();
      setRestoring({ state: 'running', site });
      const onStep = (step: RowStep): void => setRestoring({ state: 'running', site, step });
      const moved = await restoreLocaleSite(ports, site, { signal, onStep });
      setRestoring({ state: 'ended', site, moved });
      return moved;
    },
    dismiss: (): void => setRestoring({ state: 'idle' }),
  };
}

export function Cloned({ name, source }: { readonly name: string; readonly source: string }) {
  const { clone } = useMessages('sites');
  return (
    <Notice tone="positive" icon={CheckmarkCircle} role="status" title={clone.created({ site: name, source })}>
      <p className="rp-next">{clone.next}</p>
    </Notice>
  );
}
