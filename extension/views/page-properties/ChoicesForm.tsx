import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import type { ServicePort } from '#extension/setup/ports.ts';
import type { Client } from '#extension/api/client.ts';
import type { Choices } from '#extension/setup/settings.ts';
import type { Situation } from '#extension/setup/situation.ts';
import { Fold } from '../shared/Fold.tsx';
import { useWords } from '../use-words.ts';
import { AdministratorList } from './AdministratorList.tsx';
import { CodeFields } from './CodeFields.tsx';
import { ChoiceText } from './ChoiceText.tsx';
import { withCode, withConfigurationPage } from './choice-problems.ts';
import type { ChoiceField } from './choice-problems.ts';
import { SiteAddresses } from './SiteAddresses.tsx';

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
  /** A field was left: what depends on it can be read. */
  readonly onCommit: () => void;
  readonly onReset: () => void;
}

/** What will be set: proposed, and correctable field by field; what is wrong is said at the field. */
export function ChoicesForm({ situation, service, clientAt, choices, problems, isDisabled, isFolded, onChange, onCommit, onReset }: Props) {
  const words = useWords().choices;
  const text = (field: Exclude<ChoiceField, 'administrators'>, value: string, change: (value: string) => Choices, help?: string) => (
    <ChoiceText
      label={words[field]}
      value={value}
      problem={problems[field]}
      help={help}
      onChange={(next) => onChange(change(next.trim()))}
      onCommit={onCommit}
    />
  );
  const form = (
    <>
      <p className="rp-quiet">{words.text}</p>
      <Form isReadOnly={isDisabled} validationBehavior="aria" onSubmit={(event) => event.preventDefault()}>
        {text('organization', choices.organization, (organization) => ({ ...choices, organization }), words.organizationHelp)}
        {text('siteName', choices.siteName, (siteName) => ({ ...choices, siteName }), words.siteNameHelp)}
        <SiteAddresses info={situation.info} organization={choices.organization} siteName={choices.siteName} />
        {text('configurationPage', choices.configurationPage, (page) => withConfigurationPage(choices, page), words.configurationPageHelp)}
        <CodeFields
          situation={situation}
          service={service}
          clientAt={clientAt}
          choices={choices}
          isDisabled={isDisabled}
          onChange={onChange}
        >
          {text('codeOwner', choices.code.owner, (owner) => withCode(choices, { owner }))}
          {text('codeRepo', choices.code.repo, (repo) => withCode(choices, { repo }), words.codeRepoHelp)}
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
          words.technicalAccountHelp,
        )}
      </Form>
      <div>
        <ActionButton isQuiet isDisabled={isDisabled} onPress={onReset}>
          {words.reset}
        </ActionButton>
      </div>
    </>
  );
  return (
    <section className="rp-card" aria-labelledby="rp-choices">
      <h2 id="rp-choices">{words.title}</h2>
      {isFolded ? <Fold title={words.change}>{form}</Fold> : form}
    </section>
  );
}
