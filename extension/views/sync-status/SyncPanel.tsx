import { Button } from '@adobe/react-spectrum/Button';
import type { SetupPorts } from '#extension/setup/ports.ts';
import type { SyncPort } from '#extension/setup/sync/ports.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { isSignedOut } from '../page-properties/signed-out.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { HiddenTitle } from '../shared/HiddenTitle.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useWords } from '../use-words.ts';
import { Repositories } from './Repositories.tsx';
import { useOverview } from './use-overview.ts';

interface Props {
  readonly setup: Pick<SetupPorts, 'service' | 'authoring'>;
  readonly sync: SyncPort;
  readonly path: string;
  readonly onSignedOut: () => void;
}

/** What is known of the sites around a page: loading, failed, no such page, or the repositories. */
export function SyncPanel({ setup, sync, path, onSignedOut }: Props) {
  const words = useWords();
  const [overview, read] = useOverview(setup, path);
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
              <Button variant="accent" onPress={onSignedOut}>
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
      return <Repositories key={overview.value.organization} overview={overview.value} sync={sync} />;
    default:
      return overview satisfies never;
  }
}
