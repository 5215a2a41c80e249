import { Item, Picker } from '@adobe/react-spectrum/Picker';
import type { ReactNode } from 'react';
import { variantOf } from '@repoless/core/configuration/form-node.ts';
import type { FormNode } from '@repoless/core/configuration/form-node.ts';
import { asVariant } from '@repoless/core/configuration/members.ts';
import { at, pointerTo } from '@repoless/core/history/json-place.ts';
import { fieldMessages } from './form-frame.ts';
import type { NodeProps } from './form-frame.ts';
import { InheritedValue } from './InheritedValue.tsx';
import { ObjectForm } from './ObjectForm.tsx';
import { useForm } from './use-form.ts';

interface Props extends NodeProps<Extract<FormNode, { kind: 'variants' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

const NONE = ' none';

/** One of several objects, by its type; what they have in common stays when another one is chosen. */
export function VariantsForm(props: Props) {
  const { node, keys, place, value, inherited, stored, onChange } = props;
  const { messages, isDisabled, hasHelp, problemOf } = useForm();
  const type = at(value, node.by);
  const variant = variantOf(node, type);
  if (value === undefined && inherited !== undefined) return <InheritedValue {...props} />;
  const { label, help } = fieldMessages(messages, `${place}/${node.by}`);
  const problem = problemOf(pointerTo(...keys, node.by));
  const options = node.variants.map(({ name }) => ({ key: name ?? NONE, text: name ?? messages.typeNone }));
  return (
    <ObjectForm {...props} key={String(type)} node={variant?.node ?? { kind: 'object', fields: [] }}>
      <div className="rp-fields">
        <Picker
          label={label}
          items={options}
          selectedKey={typeof type === 'string' ? type : NONE}
          onSelectionChange={(key) => onChange(asVariant(node, key === NONE ? undefined : String(key), value, stored))}
          isDisabled={isDisabled}
          width="100%"
          {...(help === undefined || !hasHelp ? {} : { description: help })}
          {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
        >
          {({ key, text }) => <Item key={key}>{text}</Item>}
        </Picker>
      </div>
    </ObjectForm>
  );
}
