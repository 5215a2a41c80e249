import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import { type TextFieldRef } from '@adobe/react-spectrum/TextField';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { type ReactNode, Suspense, useId, useMemo, useRef, useState } from 'react';
import { parseAuthorHost } from '@repoless/contract/addresses.ts';
import { SealedValue, SecretValue } from '@repoless/contract/secret.ts';
import { NearestName, RemoveButton, TextInput } from '../../ui/forms.tsx';
import { Fold } from '../../ui/Card.tsx';
import { Announcement } from '../../ui/Notice.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { SettingRows } from './SettingRows.tsx';
import { SiteAddresses } from './SetUp.tsx';
import { administratorProblem, type ChoiceField, fieldId, firstIssue, withCode, withConfigurationPage } from './choice-problems.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

/** Loaded lazily: only a page without a configuration has to choose one. */
const OrganizationChoice = lazyComponent(async () => (await import('./OrganizationChoice.tsx')).OrganizationChoice);

interface Props {
  readonly situation: Situation;
  readonly service: Pick<ServicePort, 'allSites'>;
  /** A client for build management at the service's address for it; absent if it cannot be called. */
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly choices: Choices;
  readonly problems: Partial<Record<ChoiceField, string>>;
  readonly isDisabled: boolean;
  /** Collapsed until needed: the site is set up. */
  readonly isFolded: boolean;
  readonly onChange: (choices: Choices) => void;
  readonly onReset: () => void;
}

/** The settings: each value with its source or, instead, a field to correct it. Fields are shown if something has to be entered. */
export function ChoicesForm({ situation, service, clientAt, choices, problems, isDisabled, isFolded, onChange, onReset }: Props) {
  const { choices: messages, general, settings } = useMessages();
  const { loading } = general;
  const needsInput = situation.organizations !== undefined || Object.keys(problems).length > 0;
  const [isOpen, setOpen] = useState(needsInput);
  // Once open, it stays open while the required values are entered.
  if (needsInput && !isOpen) setOpen(true);
  const organizations = situation.organizations?.state === 'known' ? situation.organizations.value : undefined;
  const text = (field: Exclude<ChoiceField, 'administrators'>, value: string, change: (value: string) => Choices, help?: string) => (
    <TextInput
      id={fieldId(field)}
      label={messages[field]}
      value={value}
      problem={problems[field]}
      description={help}
      onChange={(next) => onChange(change(next.trim()))}
    />
  );
  const form = (
    <>
      <Form isReadOnly={isDisabled} validationBehavior="aria" onSubmit={(event) => event.preventDefault()}>
        {organizations === undefined ? (
          text('organization', choices.organization, (organization) => ({ ...choices, organization }), messages.organizationHelp)
        ) : (
          <Suspense fallback={<p className="rp-quiet">{loading}</p>}>
            <OrganizationChoice
              organizations={organizations}
              value={choices.organization}
              problem={problems.organization}
              isDisabled={isDisabled}
              onChange={(organization) => onChange({ ...choices, organization })}
            />
          </Suspense>
        )}
        <NearestName
          name={choices.organization}
          isRefused={problems.organization !== undefined}
          onTake={(organization) => onChange({ ...choices, organization })}
        />
        {text('siteName', choices.siteName, (siteName) => ({ ...choices, siteName }), messages.siteNameHelp)}
        <NearestName
          name={choices.siteName}
          isRefused={problems.siteName !== undefined}
          organization={choices.organization}
          onTake={(siteName) => onChange({ ...choices, siteName })}
        />
        <>
          {choices.organization !== '' && (
            <SiteAddresses info={situation.info} organization={choices.organization} siteName={choices.siteName} />
          )}
        </>
        {text(
          'configurationPage',
          choices.configurationPage,
          (page) => withConfigurationPage(choices, page),
          messages.configurationPageHelp,
        )}
        <CodeFields
          situation={situation}
          service={service}
          clientAt={clientAt}
          choices={choices}
          isDisabled={isDisabled}
          onChange={onChange}
        >
          {text('codeOwner', choices.code.owner, (owner) => withCode(choices, { owner }))}
          {text('codeRepo', choices.code.repo, (repo) => withCode(choices, { repo }), messages.codeRepoHelp)}
        </CodeFields>
        <AdministratorList
          administrators={choices.administrators}
          problem={problems.administrators}
          isDisabled={isDisabled}
          onChange={(administrators) => onChange({ ...choices, administrators })}
        />
        {text(
          'technicalAccount',
          choices.technicalAccount,
          (account) => ({ ...choices, technicalAccount: account }),
          messages.technicalAccountHelp,
        )}
      </Form>
      <div>
        <ActionButton isQuiet isDisabled={isDisabled} onPress={onReset}>
          {messages.reset}
        </ActionButton>
      </div>
    </>
  );
  const heading = <h2 id="rp-choices">{settings.title}</h2>;
  const card = (
    <>
      <SettingRows situation={situation} choices={choices} />
      <Fold key={isFolded ? 'set up' : 'proposed'} title={messages.change} open={!isFolded && isOpen}>
        {form}
      </Fold>
    </>
  );
  return (
    <section className="rp-card rp-choices" aria-labelledby="rp-choices">
      {isFolded ? (
        <Fold title={heading}>{card}</Fold>
      ) : (
        <>
          {heading}
          {card}
        </>
      )}
    </section>
  );
}

interface AdministratorListProps {
  readonly administrators: readonly string[];
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (administrators: string[]) => void;
}

function AdministratorList({ administrators, problem, isDisabled, onChange }: AdministratorListProps) {
  const messages = useMessages();
  const [name, setName] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const field = useRef<TextFieldRef>(null);
  const heading = useId();
  const refused = administratorProblem(messages, administrators, name.trim());
  const shown = isRefused ? (refused ?? problem) : problem;
  const add = (): void => {
    setRefused(refused !== undefined);
    if (refused !== undefined) return;
    onChange([...administrators, name.trim()]);
    setAnnouncement(messages.choices.administratorAdded({ name: name.trim() }));
    setName('');
    field.current?.focus();
  };
  const remove = (administrator: string): void => {
    onChange(administrators.filter((other) => other !== administrator));
    setAnnouncement(messages.choices.administratorRemoved({ name: administrator }));
    field.current?.focus();
  };
  return (
    <div role="group" aria-labelledby={heading} className="rp-members">
      <span id={heading} className="rp-label">
        {messages.choices.administrators}
      </span>
      <ul className="rp-plain-list">
        {administrators.map((administrator) => (
          <li key={administrator} className="rp-member">
            <span className="rp-value">{administrator}</span>
            <RemoveButton
              size="XS"
              label={messages.choices.removeAdministrator({ name: administrator })}
              isDisabled={isDisabled}
              onPress={() => remove(administrator)}
            />
          </li>
        ))}
      </ul>
      <div className="rp-member-add">
        <TextInput
          ref={field}
          id={fieldId('administrators')}
          aria-label={messages.choices.newAdministrator}
          description={messages.choices.administratorsHelp}
          value={name}
          onChange={(next) => {
            setName(next);
            setRefused(false);
          }}
          onKeyDown={(event) => (event.key === 'Enter' ? add() : event.continuePropagation())}
          problem={shown}
        />
        <ActionButton isDisabled={isDisabled || name.trim() === ''} onPress={add}>
          {messages.choices.addAdministrator}
        </ActionButton>
      </div>
      <Announcement>{announcement}</Announcement>
    </div>
  );
}

const ExternalCode = lazyComponent(async () => (await import('./ExternalCode.tsx')).ExternalCode);

interface CodeProps extends Pick<Props, 'situation' | 'service' | 'clientAt' | 'choices' | 'isDisabled' | 'onChange'> {
  readonly children: ReactNode;
}

/** The source of the code, and the secret that an external repository's first site needs. */
function CodeFields({ situation, service, clientAt, choices, isDisabled, onChange, children }: CodeProps) {
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
    <TextInput
      id={fieldId('secret')}
      label={messages.secret}
      description={messages[help]}
      type="password"
      value={value}
      onChange={(text) => onChange(text === '' ? undefined : new SealedValue(text))}
      problem={problem}
    />
  );
}
