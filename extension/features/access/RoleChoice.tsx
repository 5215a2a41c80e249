import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { CheckboxGroup } from '@adobe/react-spectrum/CheckboxGroup';
import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly label: string;
  readonly description?: string;
  readonly roles: readonly string[];
  readonly isDisabled?: boolean;
  readonly problem?: string | undefined;
  readonly onChange: (roles: RoleName[]) => void;
}

/** Which roles; each says what it may. */
export function RoleChoice({ label, description, roles, isDisabled = false, problem, onChange }: Props) {
  const messages = useMessages('access');
  return (
    <CheckboxGroup
      label={label}
      value={[...roles]}
      isDisabled={isDisabled}
      onChange={(values) => onChange(ROLE_NAMES.filter((role) => values.includes(role)))}
      width="100%"
      {...(description === undefined ? {} : { description })}
      {...(problem === undefined ? {} : { isInvalid: true, errorMessage: problem })}
    >
      {ROLE_NAMES.map((role) => (
        <Checkbox key={role} value={role}>
          <span className="rp-role">
            <span>{messages.roleOf[role]}</span>
            <span className="rp-quiet">{messages.roles[role].may}</span>
          </span>
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
