import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import type { OwnOrgs } from '@repoless/contract/org.ts';
import { invalid } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { fieldId } from './choice-problems.ts';

interface OrganizationChoiceProps {
  readonly organizations: OwnOrgs;
  readonly value: string;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (organization: string) => void;
}

/** The organization of a site whose settings name none: one in which the person has a role, or any that can be claimed. */
export function OrganizationChoice({ organizations: { orgs, more }, value, problem, isDisabled, onChange }: OrganizationChoiceProps) {
  const { choices: messages } = useMessages();
  return (
    <ComboBox
      id={fieldId('organization')}
      label={messages.organization}
      description={more === true ? messages.organizationChoiceMore : messages.organizationChoiceHelp}
      inputValue={value}
      onInputChange={(next) => onChange(next.trim())}
      allowsCustomValue
      menuTrigger="focus"
      defaultItems={orgs}
      width="100%"
      isReadOnly={isDisabled}
      {...invalid(problem)}
    >
      {({ name, title }) => (
        <Item key={name} textValue={name}>
          {title === undefined ? name : messages.organizationTitled({ name, title })}
        </Item>
      )}
    </ComboBox>
  );
}
