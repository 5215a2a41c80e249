import { Button } from '@adobe/react-spectrum/Button';
import { useMemo } from 'react';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { BuildManagementPort } from '#extension/setup/sync/build-management-port.ts';
import type { SyncPort } from '#extension/setup/sync/ports.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { isSignedOut } from '../page-properties/signed-out.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { HiddenTitle } from '../shared/HiddenTitle.tsx';
import { Loading } from '../shared/Loading.tsx';
import type { SignInAgain } from '../sign-in/sign-in-again.ts';
import { useSyncWords } from './use-sync-words.ts';
import { Repositories } from './Repositories.tsx';
import { useOverview } from './use-overview.ts';

interface Props {
  readonly setup: Pick<SetupPorts, 'service' | 'authoring'>;
  readonly sync: SyncPort;
  /** Build management at an address that the service names. */
  readonly buildsAt: (address: string) => BuildManagementPort;
  readonly path: string;
  readonly onSignedOut: SignInAgain;
}

/** What is known of the sites around a page: loading, failed, no such page, or the repositories. */
export function SyncPanel({ setup, sync, buildsAt, path, onSignedOut }: Props) {
  const words = useSyncWords();
  const [overview, read] = useOverview(setup, path);
  const address = overview.state === 'known' ? overview.value.info.buildManagement : undefined;
  const builds = useMemo(() => (address === undefined ? undefined : buildsAt(address)), [address, buildsAt]);
  switch (overview.state) {
    case 'loading':
      return (
        <>
          <HiddenTitle />
          <Loading text={words.sync.reading} />
        </>
      );
    case 'missing':
      return (
        <>
          <HiddenTitle />
          <Explanation explained={words.sync.pageMissing(path)}>
            <Button variant="secondary" onPress={read}>
              {words.general.retry}
            </Button>
          </Explanation>
        </>
      );
    case 'failed':
      return (
        <>
          <HiddenTitle />
          <Explanation explained={explainFailure(words, overview.failure)}>
            {isSignedOut(overview.failure) ? (
              <Button variant="accent" onPress={() => onSignedOut(read)}>
                {words.signIn.inWindow}
              </Button>
            ) : (
              <Button variant="secondary" onPress={read}>
                {words.general.retry}
              </Button>
            )}
          </Explanation>
        </>
      );
    case 'known':
      return (
        <Repositories key={overview.value.organization} overview={overview.value} setup={setup} sync={sync} builds={builds} onRead={read} />
      );
    default:
      return overview satisfies never;
  }
}
