import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { hideCredentials, isCredential, HIDDEN } from '@repoless/core/history/cdn-credentials.ts';
import { at, isObject, keysOf, printed } from '@repoless/core/history/json-place.ts';
import { Badge } from '../../ui/Badge.tsx';
import type { NodeProps } from './form-frame.ts';
import { useForm } from './use-form.ts';

interface Props extends Pick<NodeProps, 'label' | 'place' | 'value' | 'inherited' | 'onChange'> {
  /** What the site has of its own already: what is inherited is added to it. */
  readonly over?: (inherited: unknown) => unknown;
}

/** A value that holds through the profile, and the way to a value of the site's own. */
export function InheritedValue({ label, place, inherited, onChange, over = (value) => value }: Props) {
  const { messages, profile = '', isDisabled, say } = useForm();
  return (
    <div className="rp-inherited" role="group" aria-label={label}>
      <span className="rp-label">{label}</span>
      <span className="rp-inherited-value rp-value">{shown(place, inherited)}</span>
      <span className="rp-inherited-from">
        <Badge tone="neutral" text={messages.from({ profile })} />
        <ActionButton
          isDisabled={isDisabled}
          aria-label={messages.overrideOf({ name: label })}
          onPress={() => {
            onChange(over(inherited));
            say(messages.overridden({ name: label }));
          }}
        >
          {messages.override}
        </ActionButton>
      </span>
    </div>
  );
}

function shown(place: string, value: unknown): string {
  if (isCredential(place)) return HIDDEN;
  const open = place === 'cdn/prod' ? at(hideCredentials({ prod: value }), 'prod') : value;
  if (isObject(open))
    return keysOf(open)
      .map((key) => `${key}: ${printed(at(open, key)) ?? ''}`)
      .join('\n');
  if (!Array.isArray(open)) return printed(open) ?? '';
  return open.map((one: unknown) => headerText(one) ?? printed(one) ?? '').join('\n');
}

function headerText(value: unknown): string | undefined {
  const [key, text] = [at(value, 'key'), at(value, 'value')];
  return typeof key === 'string' && typeof text === 'string' ? `${key}: ${text}` : undefined;
}
