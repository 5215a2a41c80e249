import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import type { SignInRule } from '@repoless/core/access/site-draft.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly rule: SignInRule;
  readonly isDisabled: boolean;
  readonly onChange: (rule: SignInRule) => void;
}

const RULES = ['auto', 'always', 'open'] as const satisfies readonly SignInRule[];

/** Whether the configuration can be read without signing in, and what each answer means. */
export function SignInChoice({ rule, isDisabled, onChange }: Props) {
  const { signIn } = useMessages('access');
  return (
    <RadioGroup
      label={signIn.label}
      value={rule}
      isDisabled={isDisabled}
      onChange={(value) => onChange(RULES.find((one) => one === value) ?? 'auto')}
      description={signIn.rules[rule].text}
    >
      {RULES.map((one) => (
        <Radio key={one} value={one}>
          {signIn.rules[one].name}
        </Radio>
      ))}
    </RadioGroup>
  );
}
