import { Suspense } from 'react';
import { subjectPath } from '@repoless/core/history/subject.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { Loading } from '../../ui/Loading.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { late } from '../../ui/lazy-component.tsx';

const AccessPanel = late(async () => (await import('./AccessPanel.tsx')).AccessPanel);

export interface AccessProps {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  /** The authoring environment that a site's content comes from, as far as it can be read. */
  readonly environment?: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  /** What is stored is another state now. */
  readonly onChanged: () => void;
}

/** Who may do what on a site or in an organization; its screens are loaded when it is first opened. */
export function Access(props: AccessProps) {
  const { access } = useMessages();
  return (
    <Suspense fallback={<Loading text={access.reading} />}>
      <AccessPanel key={subjectPath(props.subject)} {...props} />
    </Suspense>
  );
}
