import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { Suspense, useState } from 'react';
import { Breakable } from '../../ui/Breakable.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { late } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { AdministratorList } from './AdministratorList.tsx';
import { CodeFields } from './CodeFields.tsx';
import { SiteAddresses } from './SiteAddresses.tsx';
import { type ChoiceField, fieldId, withCode, withConfigurationPage } from './choice-problems.ts';

/** Only a page without a configuration has to choose one. */
const OrganizationChoice = late(async () => (await import('./OrganizationChoice.tsx')).OrganizationChoice);

interface Props {
  readonly situation: Situation;
  readonly service: Pick<ServicePort, 'allSites'>;
  readonly clientAt: ((address: string) => Client) | undefined;
  readonly choices: Choices;
  readonly problems: Partial<Record<ChoiceField, string>>;
  readonly isDisabled: boolean;
  /** Folded away until it is wanted: the site is set up. */
  readonly isFolded: boolean;
  readonly onChange: (choices: Choices) => void;
  readonly onReset: () => void;
}

/** New settings: what is proposed, to be read; behind it each field, to be corrected. It is open where something has to be entered. */
export function ChoicesForm({ situation, service, clientAt, choices, problems, isDisabled, isFolded, onChange, onReset }: Props) {
  const { choices: messages, general } = useMessages();
  const { loading } = general;
  const asks = situation.organizations !== undefined || Object.keys(problems).length > 0;
  const [isOpen, setOpen] = useState(asks);
  // Once it is open it stays so while what was asked for is entered.
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
      <p className="rp-quiet">{messages.text}</p>
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
        {text('siteName', choices.siteName, (siteName) => ({ ...choices, siteName }), messages.siteNameHelp)}
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
  return (
    <section className="rp-card rp-choices" aria-labelledby="rp-choices">
      <h2 id="rp-choices">{messages.title}</h2>
      {!isFolded && <Proposal choices={choices} />}
      <Fold key={isFolded ? 'set up' : 'proposed'} title={messages.change} open={!isFolded && isOpen}>
        {form}
      </Fold>
    </section>
  );
}

interface ChoiceTextProps {
  /** Identifier of the input, so that links lead to it. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly help: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One text of the choices, with what is wrong with it. */
function ChoiceText({ id, label, value, problem, help, onChange }: ChoiceTextProps) {
  return (
    <TextField
      id={id}
      label={label}
      value={value}
      onChange={onChange}
      width="100%"
      autoComplete="off"
      spellCheck="false"
      {...(help === undefined ? {} : { description: help })}
      {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
    />
  );
}

/** The proposed settings. Hidden while the form is open. */
function Proposal({ choices }: { readonly choices: Choices }) {
  const { choices: messages } = useMessages();
  const { code } = choices;
  const repository = code.type === 'byogit' ? code.url : [code.owner, code.repo].filter((part) => part !== '').join('/');
  const rows = [
    [messages.organization, choices.organization],
    [messages.siteName, choices.siteName],
    [messages.configurationPage, choices.configurationPage],
    [messages.codeRepo, repository],
    [messages.administrators, choices.administrators.join(', ')],
    [messages.technicalAccount, choices.technicalAccount],
  ] as const;
  return (
    <dl className="rp-settings rp-proposal">
      {rows.map(([name, value]) =>
        value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="rp-value">
              <Breakable text={value} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
