import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import type { Client } from '@repoless/core/api/client.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Choices, Situation } from '@repoless/core/situation/situation.ts';
import { Suspense, useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { late } from '../../ui/lazy-component.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { AdministratorList } from './AdministratorList.tsx';
import { ChoiceText } from './ChoiceText.tsx';
import { CodeFields } from './CodeFields.tsx';
import { Proposal } from './Proposal.tsx';
import { SiteAddresses } from './SiteAddresses.tsx';
import { fieldId } from './blocking-field.ts';
import { type ChoiceField, withCode, withConfigurationPage } from './choice-problems.ts';

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
