import { Form } from '@adobe/react-spectrum/Form';
import { TextField, type TextFieldRef } from '@adobe/react-spectrum/TextField';
import type { ComponentProps, ReactNode, Ref } from 'react';
import { ActionButton, type SpectrumActionButtonProps } from '@adobe/react-spectrum/ActionButton';
import { nearestName } from '@repoless/contract/names.ts';
import Close from '@spectrum-icons/workflow/Close';
import { useMessages } from './use-messages.ts';

interface FormProps extends Omit<ComponentProps<typeof Form>, 'onSubmit' | 'children'> {
  readonly onSubmit: () => unknown;
  readonly children: ReactNode;
}

/** A form that the panel handles itself: the browser sends nothing. */
export function SubmitForm({ onSubmit, children, ...props }: FormProps) {
  return (
    <Form
      {...props}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <>{children}</>
    </Form>
  );
}

interface InputProps extends Omit<ComponentProps<typeof TextField>, 'description'> {
  readonly description?: string | undefined;
  /** Why the value is refused. */
  readonly problem?: string | undefined;
  readonly ref?: Ref<TextFieldRef>;
}

/** A field for a name, an address or a path: the browser completes and corrects nothing. */
export function TextInput({ description, problem, ...props }: InputProps) {
  return (
    <TextField
      width="100%"
      autoComplete="off"
      spellCheck="false"
      {...props}
      {...(description === undefined ? {} : { description })}
      {...invalid(problem)}
    />
  );
}

/** The properties of a field whose value is refused for this reason; none without a reason. */
export function invalid(problem: string | undefined) {
  return problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem };
}

interface NearestNameProps {
  readonly name: string;
  readonly isRefused: boolean;
  /** Set for the name of a site in this organization. */
  readonly organization?: string | undefined;
  readonly isDisabled?: boolean;
  readonly onTake: (name: string) => void;
}

/** Offers the nearest valid name; pressing it applies it. */
export function NearestName({ name, isRefused, organization, isDisabled = false, onTake }: NearestNameProps) {
  const { choices } = useMessages();
  const nearest = nearestName(name, organization);
  if (!isRefused || nearest === '' || nearest === name) return null;
  return (
    <div>
      <ActionButton isDisabled={isDisabled} onPress={() => onTake(nearest)}>
        {choices.takeName({ name: nearest })}
      </ActionButton>
    </div>
  );
}

interface RemoveProps extends Pick<SpectrumActionButtonProps, 'isDisabled' | 'onPress'> {
  /** What it removes or closes, for assistive technology. */
  readonly label: string;
  /** That of other buttons if absent. */
  readonly size?: 'XS';
}

/** A cross that removes an entry, or closes what it belongs to. */
export function RemoveButton({ label, size, ...props }: RemoveProps) {
  return (
    <ActionButton isQuiet aria-label={label} {...props}>
      <Close {...(size === undefined ? {} : { size })} />
    </ActionButton>
  );
}
