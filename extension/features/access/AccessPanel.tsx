import { type HistorySubject, subjectName } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { LinkedRows } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { WithHistory } from '../history/History.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { OrganizationAccess } from './OrganizationAccess.tsx';
import { SiteAccess } from './SiteAccess.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import './access.css';

export interface AccessProps {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  /** The authoring environment of a site's content, if it can be read. */
  readonly environment?: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
}

export function AccessPanel({ service, subject: first, environment, onUnsaved, onChanged }: AccessProps) {
  const messages = useMessages('access');
  const [subject] = useState(first);
  const { organization } = subject;
  const title = messages.title({ kind: subject.kind, name: subjectName(subject) });
  return (
    <LinkedRows>
      <WithHistory service={service} subject={subject} id="rp-access" title={title} onUnsaved={onUnsaved} onChanged={onChanged}>
        {({ key, ...edited }) => (
          <>
            {subject.kind === 'site' && (
              <SiteAccess
                key={key}
                {...edited}
                service={service}
                organization={organization}
                site={subject.name}
                environment={environment}
                onChanged={onChanged}
              />
            )}
            {subject.kind === 'organization' && (
              <OrganizationAccess key={key} {...edited} service={service} organization={organization} onChanged={onChanged} />
            )}
            {subject.kind !== 'profile' && <ApiKeys service={service} subject={subject} />}
          </>
        )}
      </WithHistory>
    </LinkedRows>
  );
}
