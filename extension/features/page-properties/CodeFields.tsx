import { TextField } from '@adobe/react-spectrum/TextField';
import { parseAuthorHost } from '@repoless/contract/addresses.ts';
import { SealedValue, SecretValue } from '@repoless/contract/secret.ts';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { type ReactNode, Suspense, useMemo } from 'react';
import { invalid } from '../../ui/forms.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { firstIssue, fieldId } from './choice-problems.ts';

const ExternalCode = lazyComponent(async () => (await import('./ExternalCode.tsx')).ExternalCode);

interface Props {
  readonly situation: Situation;
  readonly service: Pick<ServicePort, 'allSites'>;
  /** A client for build management at the service's address for it; absent if it cannot be called. */
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly choices: Choices;
  readonly isDisabled: boolean;
  readonly onChange: (choices: Choices) => void;
  readonly children: ReactNode;
}

/** The source of the code, and the secret that an external repository's first site needs. */
export function CodeFields({ situation, service, clientAt, choices, isDisabled, onChange, children }: Props) {
  const { general } = useMessages();
  const { code, organization, siteName, secret: pasted, ...others } = choices;
  const address = situation.info.buildManagement;
  const client = useMemo(() => (address === undefined ? undefined : clientAt?.(address)), [address, clientAt]);
  const change = (changed: Pick<Choices, 'code' | 'secret'>): void => onChange({ ...others, organization, siteName, ...changed });
  return (
    <>
      {client !== undefined && (
        <Suspense fallback={<p className="rp-quiet">{general.loading}</p>}>
          {/* Reset for another organization: one organization's repositories are never offered under the name of another. */}
          <ExternalCode
            key={organization}
            client={client}
            service={service}
            organization={organization}
            isTyped={situation.target?.organization === organization}
            program={parseAuthorHost(situation.settings.author)?.program}
            siteName={siteName}
            code={code}
            isDisabled={isDisabled}
            onChange={(next) => change({ code: next })}
          />
        </Suspense>
      )}
      {(code.type === 'github' || client === undefined) && children}
      {code.type === 'byogit' && code.holdsSecret && (
        <SecretField
          secret={pasted}
          help={situation.secret?.state === 'known' ? 'secretStored' : situation.mayLink === true ? 'secretMade' : 'secretHelp'}
          onChange={(secret) => change({ code, ...(secret === undefined ? {} : { secret }) })}
        />
      )}
    </>
  );
}

interface SecretFieldProps {
  readonly secret: SealedValue | undefined;
  /** The service already has one, the plan creates one, or only the person can provide it. */
  readonly help: 'secretStored' | 'secretMade' | 'secretHelp';
  readonly onChange: (secret: SealedValue | undefined) => void;
}

/** The secret of an external repository: pasted once, held only in this panel's memory, never shown. */
function SecretField({ secret, help, onChange }: SecretFieldProps) {
  const all = useMessages();
  const { choices: messages } = all;
  const value = secret?.reveal() ?? '';
  useUnsavedEntry(value !== '', 'view');
  const problem = value === '' ? undefined : firstIssue(all, SecretValue, value);
  return (
    <TextField
      id={fieldId('secret')}
      label={messages.secret}
      description={messages[help]}
      type="password"
      autoComplete="off"
      value={value}
      onChange={(text) => onChange(text === '' ? undefined : new SealedValue(text))}
      width="100%"
      {...invalid(problem)}
    />
  );
}
