import { fill } from '@repoless/core/messages/format-message.ts';
import { useEffect, useMemo } from 'react';
import { connect } from './host/connection.ts';
import type { HostFailure, HostReady, HostSource } from './host/host.ts';
import { useHost } from './host/use-host.ts';
import type { PageView } from '@repoless/contract/extension-address.ts';
import type { Explained } from '@repoless/core/messages/explain-failure.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import { HiddenTitle } from '../ui/HiddenTitle.tsx';
import { Loading } from '../ui/Loading.tsx';
import { Explanation } from '../ui/Explanation.tsx';
import { SignedIn } from './SignedIn.tsx';
import { Surface } from './Surface.tsx';
import { useFirstFocus } from '../ui/use-first-focus.ts';
import { useCloseOnEscape } from '../features/leaving/use-close-on-escape.ts';
import { useMessages } from '../ui/use-messages.ts';

interface Props {
  readonly source: HostSource;
  readonly framed: boolean;
  readonly view?: PageView;
  /** The organization of a page whose settings name none, as the address says it. */
  readonly organization?: string | undefined;
}

/** The panel of a page, wherever it runs. */
export function Panel({ source, framed, view = 'page-properties', organization }: Props) {
  const host = useHost(source);
  useFirstFocus(framed);
  // A rail is no dialog: its host may have nothing to close, and the library would ask for it on and on.
  useCloseOnEscape(host.state === 'ready' && view !== 'sync-status' ? host.close : undefined);
  return (
    <Surface locale={host.locale} theme={host.theme} standAlone={!framed}>
      {host.state !== 'ready' && <HiddenTitle />}
      {host.state === 'loading' && <Connecting />}
      {host.state === 'failed' && <HostFailed failure={host.failure} />}
      {host.state === 'ready' && <Connected source={source} host={host} view={view} organization={organization} />}
    </Surface>
  );
}

function Connecting() {
  return <Loading text={useMessages().general.host.connecting} />;
}

function HostFailed({ failure }: { readonly failure: HostFailure }) {
  return <Explanation explained={explainHost(useMessages(), failure)} />;
}

/** Connects once for a service and an author; a changed token is asked of the host when it is needed. */
function Connected({ source, host, view, organization }: Omit<Required<Props>, 'framed'> & { readonly host: HostReady }) {
  const { service, mode } = host;
  const { author, path } = host.page;
  const connection = useMemo(() => connect({ service, author, hostToken: () => authoringToken(source) }), [service, author, source]);
  useEffect(() => source.subscribe(() => connection.hostChanged()), [source, connection]);
  return <SignedIn connection={connection} path={path} mode={mode} view={view} organization={organization} />;
}

function authoringToken(source: HostSource): string | undefined {
  const host = source.get();
  return host.state === 'ready' ? host.authoringToken : undefined;
}

function explainHost({ general }: Messages, failure: HostFailure): Explained {
  switch (failure.reason) {
    case 'unreachable':
      return general.host.unreachable;
    case 'service-missing':
      return general.host.serviceMissing;
    case 'service-invalid':
      return fill(general.host.serviceInvalid, { address: failure.address });
    case 'page-missing':
      return general.host.pageMissing;
    default:
      return failure satisfies never;
  }
}
