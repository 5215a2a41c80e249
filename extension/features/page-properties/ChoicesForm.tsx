import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import type { TextFieldRef } from '@adobe/react-spectrum/TextField';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { Suspense, useId, useRef, useState } from 'react';
import { RemoveButton } from '../../ui/RemoveButton.tsx';
import { NearestName, TextInput } from '../../ui/forms.tsx';
import { Fold } from '../../ui/Card.tsx';
import { Announcement } from '../../ui/Loading.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { CodeFields } from './CodeFields.tsx';
import { SettingRows } from './SettingRows.tsx';
import { SiteAddresses } from './SetUp.tsx';
import { administratorProblem, type ChoiceField, fieldId, withCode, withConfigurationPage } from './choice-problems.ts';

/** Loaded lazily: only a page without a configuration has to choose one. */
const OrganizationChoice = lazyComponent(async () => (await import('./OrganizationChoice.tsx')).OrganizationChoice);

interface Props {
  readonly situation: Situation;
  readonly service: Pick<ServicePort, 'allSites'>;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly choices: Choices;
  readonly problems: Partial<Record<ChoiceField, string>>;
  readonly isDisabled: boolean;
  /** Collapsed until needed: the site is set up. */
  readonly isFolded: boolean;
  readonly onChange: (choices: Choices) => void;
  readonly onReset: () => void;
}

/** The settings: each value with its source or, in its place, a field to correct it. Fields are shown if something has to be entered. */
export function ChoicesForm({ situation, service, clientAt, choices, problems, isDisabled, isFolded, onChange, onReset }: Props) {
  const { choices: messages, general, settings } = useMessages();
  const { loading } = general;
  const asks = situation.organizations !== undefined || Object.keys(problems).length > 0;
  const [isOpen, setOpen] = useState(asks);
  // Once open, it stays open while the required values are entered.
  if (asks && !isOpen) setOpen(true);
  const organizations = situation.organizations?.state === 'known' ? situation.organizations.value : undefined;
  const text = (field: Exclude<ChoiceField, 'administrators'>, value: string, change: (value: string) => Choices, help?: string) => (
    <ChoiceText
      id={fieldId(field)}
      label={messages[field]}
      value={value}
      problem={problems[field]}
      help={help}
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

interface ChoiceTextProps {
  /** The ID of the input, for links to it. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly help: string | undefined;
  readonly onChange: (value: string) => void;
}

function ChoiceText({ id, label, value, problem, help, onChange }: ChoiceTextProps) {
  return <TextInput id={id} label={label} value={value} onChange={onChange} description={help} problem={problem} />;
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
  const [said, setSaid] = useState('');
  const field = useRef<TextFieldRef>(null);
  const heading = useId();
  const refused = administratorProblem(messages, administrators, name.trim());
  const shown = isRefused ? (refused ?? problem) : problem;
  const add = (): void => {
    setRefused(refused !== undefined);
    if (refused !== undefined) return;
    onChange([...administrators, name.trim()]);
    setSaid(messages.choices.administratorAdded({ name: name.trim() }));
    setName('');
    field.current?.focus();
  };
  const remove = (administrator: string): void => {
    onChange(administrators.filter((other) => other !== administrator));
    setSaid(messages.choices.administratorRemoved({ name: administrator }));
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
      <Announcement>{said}</Announcement>
    </div>
  );
}
