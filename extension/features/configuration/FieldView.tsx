import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { asVariant, withMember } from '@repoless/core/configuration/configuration-kind.ts';
import { type FormField, type FormNode, type ObjectNode, variantOf } from '@repoless/core/configuration/form-node.ts';
import { isCredential } from '@repoless/core/history/cdn-credentials.ts';
import { at, pointerTo } from '@repoless/core/history/json-place.ts';
import { type ReactNode, useState } from 'react';
import { Fold } from '../../ui/Card.tsx';
import { invalid } from '../../ui/forms.tsx';
import { ListForm, RecordForm } from './RecordForm.tsx';
import {
  ChoiceLeaf,
  ChoicesLeaf,
  fieldMessages,
  InheritedValue,
  type NodeProps,
  NumberLeaf,
  SecretLeaf,
  SwitchLeaf,
  TextLeaf,
  useForm,
} from './leaves.tsx';

const draw = (props: NodeProps): ReactNode => <FieldView {...props} />;

/** The form field for a place, by its kind. A profile's value is shown until the site has its own. */
export function FieldView(props: NodeProps) {
  const { node, value, inherited } = props;
  const isWhole = node.kind !== 'object' && node.kind !== 'record' && node.kind !== 'list' && node.kind !== 'variants';
  if (isWhole && value === undefined && inherited !== undefined) return <InheritedValue {...props} />;
  switch (node.kind) {
    case 'text':
      return isCredential(props.place) ? <SecretLeaf {...props} node={node} /> : <TextLeaf {...props} node={node} />;
    case 'number':
      return <NumberLeaf {...props} node={node} />;
    case 'switch':
      return <SwitchLeaf {...props} node={node} />;
    case 'choice':
      return <ChoiceLeaf {...props} node={node} />;
    case 'choices':
      return <ChoicesLeaf {...props} node={node} />;
    case 'list':
      return <ListForm {...props} node={node} draw={draw} />;
    case 'record':
      return <RecordForm {...props} node={node} draw={draw} />;
    case 'object':
      return <ObjectForm {...props} node={node} draw={draw} />;
    case 'variants':
      return <VariantsForm {...props} node={node} draw={draw} />;
    case 'json':
      // Its section's JSON is next to the form.
      return null;
    default:
      return node satisfies never;
  }
}

interface Props extends NodeProps<ObjectNode> {
  readonly draw: (props: NodeProps) => ReactNode;
  readonly children?: ReactNode;
}

/** In a list entry with more fields than this, unset optional ones are collapsed. */
const FEW = 6;
/** An entry with more fields than this has its own frame. */
const NARROW = 2;

function ObjectForm({ node, keys, place, label, value, inherited, stored, isRequired, autoFocus, onChange, draw, children }: Props) {
  const form = useForm();
  // Fields don't move while the person types.
  const [folded] = useState(
    () => new Set(!place.endsWith('*') || node.fields.length <= FEW ? [] : node.fields.filter(isOptional).map(({ name }) => name)),
  );
  function isOptional({ name, isRequired: needed }: FormField): boolean {
    return !needed && at(value, name) === undefined && at(inherited, name) === undefined;
  }
  const problem = form.problemOf(pointerTo(...keys));
  const field = ({ name, isRequired: needed, node: inner }: FormField, index: number) => {
    const inside = `${place}/${name}`;
    return (
      <div
        key={name}
        className={inner.kind === 'list' || inner.kind === 'record' || inner.kind === 'variants' ? 'rp-field-wide' : 'rp-field'}
      >
        {draw({
          node: inner,
          keys: [...keys, name],
          place: inside,
          label: fieldMessages(form.messages, inside).label,
          value: at(value, name),
          inherited: at(inherited, name),
          stored: at(stored, name),
          // A missing object has no required fields.
          isRequired: needed && (isRequired || value !== undefined),
          autoFocus: autoFocus === true && index === 0,
          onChange: (next) => onChange(withMember(value, name, next, isRequired)),
        })}
      </div>
    );
  };
  const shown = node.fields.filter(({ name }) => !folded.has(name));
  const more = node.fields.filter(({ name }) => folded.has(name));
  const isNested = place.includes('/') && !place.endsWith('*');
  return (
    <div
      className={isNested || (place.endsWith('*') && node.fields.length > NARROW) ? 'rp-nested' : 'rp-fields-around'}
      role="group"
      aria-label={label}
    >
      {isNested && <p className="rp-strong">{label}</p>}
      {problem !== undefined && <p className="rp-wrong">{problem}</p>}
      {children}
      {shown.length > 0 && <div className="rp-fields">{shown.map(field)}</div>}
      {more.length > 0 && (
        <Fold
          title={form.messages.more({ count: more.length })}
          of={label}
          open={more.some(({ name }) => form.problemOf(pointerTo(...keys, name)) !== undefined)}
        >
          <div className="rp-fields">{more.map((one) => field(one, 1))}</div>
        </Fold>
      )}
    </div>
  );
}

interface VariantsFormProps extends NodeProps<Extract<FormNode, { kind: 'variants' }>> {
  readonly draw: (props: NodeProps) => ReactNode;
}

const NONE = ' none';

/** One of several objects, by its type; shared values stay when another one is chosen. */
function VariantsForm(props: VariantsFormProps) {
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
          {...invalid(problem)}
        >
          {({ key, text }) => <Item key={key}>{text}</Item>}
        </Picker>
      </div>
    </ObjectForm>
  );
}
