import { Button } from '@adobe/react-spectrum/Button';
import { explainRow } from '@repoless/core/messages/explain-row.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type LocaleSite, type Moved, restoreLocaleSite } from '@repoless/core/sites/remove-sites.ts';
import type { RowStep } from '@repoless/core/sites/rows.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { useState } from 'react';
import { Notice, Explanation } from '../../ui/Notice.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useStopper } from '../../ui/use-reading.ts';
import { useActiveRun } from '../leaving/use-guarded.ts';

interface Props {
  readonly restoring: Restoring;
  readonly onRetry: (site: LocaleSite) => void;
}

export function RestoredSite({ restoring, onRetry }: Props) {
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
      <Button variant="accent" onPress={() => onRetry(site)}>
        {removal.retry}
      </Button>
    </Explanation>
  );
}

type Restoring =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly site: LocaleSite; readonly step?: RowStep }
  | { readonly state: 'ended'; readonly site: LocaleSite; readonly moved: Moved };

interface Restorer {
  readonly restoring: Restoring;
  start(ports: SetupPorts, site: LocaleSite): Promise<Moved>;
  dismiss(): void;
}

export function useRestore(): Restorer {
  const [restoring, setRestoring] = useState<Restoring>({ state: 'idle' });
  useActiveRun(restoring.state === 'running', 'view');
  const stopper = useStopper();
  return {
    restoring,
    start: async (ports, site) => {
      const signal = stopper.begin();
      setRestoring({ state: 'running', site });
      const onStep = (step: RowStep): void => setRestoring({ state: 'running', site, step });
      const moved = await restoreLocaleSite(ports, site, { signal, onStep });
      setRestoring({ state: 'ended', site, moved });
      return moved;
    },
    dismiss: () => setRestoring({ state: 'idle' }),
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
