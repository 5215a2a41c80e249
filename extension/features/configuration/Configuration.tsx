import { Suspense } from 'react';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { late } from '../../ui/lazy-component.tsx';

const ConfigurationPanel = late(async () => (await import('./ConfigurationPanel.tsx')).ConfigurationPanel);

export interface ConfigurationProps {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  /** What is stored is another state now. */
  readonly onChanged: () => void;
}

/** The configuration of a site; its screens are loaded when it is first opened. */
export function Configuration(props: ConfigurationProps) {
  const { configuration } = useMessages();
  return (
    <Suspense fallback={<Loading text={configuration.reading} />}>
      <ConfigurationPanel key={`${props.organization} ${props.site}`} {...props} />
    </Suspense>
  );
}
